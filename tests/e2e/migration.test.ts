import type { PreviousWafSeed } from "../../emulator/index.js";
import type { ZoneWafMigrationArgs } from "../../provider/index.js";
import { writesIn } from "../support/requests.js";
import { EngineStack, type Library, type Outcome } from "./support/stack.js";

const PHASE = "http_request_firewall_managed";
const NAME = "old.example.com";

interface Args {
  readonly migration?: Omit<ZoneWafMigrationArgs, "zoneId">;
  readonly options?: object;
  /** Declares the entry point with the planned rules, or with the retrieved configuration. */
  readonly handOver?: boolean | "retrieved";
  /** Whether to declare another resource, which a destroy would delete. */
  readonly neighbour?: boolean;
  readonly zoneId: string;
}
const program = ({ ZoneWafMigration, PhaseEntrypoint }: Library, args: Args) => {
  const { zoneId } = args;
  if (args.neighbour === true) {
    const rules = [{ action: "block" as const, expression: "ssl", description: "neighbour" }];
    new PhaseEntrypoint("neighbour", { zoneId, phase: "http_request_firewall_custom", rules });
  }
  if (args.migration === undefined) return {};
  const migration = new ZoneWafMigration("shop", { zoneId, ...args.migration }, args.options);
  const waf = { zoneId, phase: "http_request_firewall_managed", onExisting: "adopt" } as const;
  if (args.handOver === true) new PhaseEntrypoint("waf", { ...waf, rules: migration.plannedRules });
  if (args.handOver === "retrieved") {
    const rules = migration.retrievedConfig.apply((config) => config?.rules);
    new PhaseEntrypoint("waf", { ...waf, rules });
  }
  const { phase, migrationState, configDigest, newWaf, finishedAt } = migration;
  return { phase, migrationState, configDigest, newWaf, finishedAt };
};
const finish = { mode: "pending", acknowledgeIrreversible: NAME } as const;

describe("the migration of a zone", () => {
  let stack: EngineStack;
  let zoneId: string;
  const start = async (previousWaf: PreviousWafSeed = {}): Promise<void> => {
    stack = await EngineStack.start({ seed: { zones: [{ name: NAME, previousWaf }] } });
    zoneId = await stack.service.zone();
  };
  afterEach(() => stack.close());
  /** Kills the engine during an operation, when the write of the migration has reached the service. */
  const killAfterWrite = async (running: Promise<Outcome>): Promise<Outcome> => {
    const put = `PUT /zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint`;
    return stack.killDuring(running, async () => (await stack.service.peek()).includes(put));
  };
  const deployed = () => stack.service.rules(zoneId, PHASE);

  test("is finished directly, with a wait, and then handed over to a PhaseEntrypoint without a change", async () => {
    await start({ progression: { reads: 1 } });
    const preview = await stack.preview(program, { zoneId, migration: finish });
    expect([preview.ok, writesIn(preview.requests)]).toEqual([true, []]);
    expect(preview.text).toContain("Rules that will be written:");
    expect(preview.text).toContain(
      "execute Cloudflare OWASP Core Ruleset (PL2, score threshold 40 (medium), action challenge)",
    );
    expect(preview.text).toContain(`finishes the migration of zone ${NAME} for good`);
    expect(preview.text).toMatch(/Digest of this configuration, for expectedConfig: c1\./);
    const up = await stack.up(program, { zoneId, migration: finish });
    expect([up.ok, writesIn(up.requests)]).toEqual([
      true,
      [`PUT /zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint`],
    ]);
    // How long the write took is up to the machine.
    expect(up.text).toMatch(
      /the switch has been under way for \d+ s \(the service says "pending"\); next check in 5 s/,
    );
    expect(up.outputs).toMatchObject({ phase: "finished", migrationState: "complete", newWaf: "enabled" });
    expect(preview.text).toContain(String(up.outputs.configDigest));
    const before = await deployed();
    expect(await stack.up(program, { zoneId, migration: finish })).toMatchObject({
      requests: [],
      changes: { same: 2 },
    });
    const handed = await stack.up(program, { zoneId, migration: finish, handOver: true });
    expect([handed.ok, writesIn(handed.requests)]).toEqual([true, []]);
    expect(await deployed()).toEqual(before);
    const again = await stack.up(program, { zoneId, migration: finish, handOver: true });
    expect(again).toMatchObject({ requests: [], changes: { same: 3 } });
    expect((await stack.refresh()).changes).toEqual({ same: 3 });
  });

  test("the retrieved configuration can be passed back unchanged to a PhaseEntrypoint", async () => {
    await start({ firewallRules: [{ expression: "ssl", description: "partner", products: ["waf"] }] });
    expect((await stack.up(program, { zoneId, migration: finish })).ok).toBe(true);
    const before = await deployed();
    const handed = await stack.up(program, { zoneId, migration: finish, handOver: "retrieved" });
    expect([handed.ok, writesIn(handed.requests)]).toEqual([true, []]);
    expect(await deployed()).toEqual(before);
    const again = await stack.up(program, { zoneId, migration: finish, handOver: "retrieved" });
    expect(again).toMatchObject({ requests: [], changes: { same: 3 } });
    // The same rules in this package's spelling are no change.
    const planned = await stack.up(program, { zoneId, migration: finish, handOver: true });
    expect(planned).toMatchObject({ requests: [], changes: { same: 3 } });
  });

  const neighbours = async (): Promise<number> =>
    (await stack.service.entrypoint(zoneId, "http_request_firewall_custom"))?.rules.length ?? 0;
  /** Runs a command that must fail, and returns its error message. */
  const failing = async (...args: string[]): Promise<string> => {
    await stack.service.forget();
    const error = await stack.command(...args).then(
      () => new Error("it succeeded"),
      (caught: unknown) => caught as Error,
    );
    return error.message;
  };

  test("a secret in a rule is in no preview, log or state", async () => {
    await start();
    const secretive = ({ ZoneWafMigration, pulumi }: Library, { zone }: { readonly zone: string }) => {
      const expression = pulumi.secret('http.cookie contains "hush-hush"');
      const actionParameters = { ruleset: "current" };
      const rule = { action: "skip" as const, expression, description: "Bot", actionParameters };
      const migration = new ZoneWafMigration("shop", {
        zoneId: zone,
        mode: "pending",
        acknowledgeIrreversible: true,
        adjustments: { append: [rule] },
      });
      return { phase: migration.phase };
    };
    const preview = await stack.preview(secretive, { zone: zoneId });
    const up = await stack.up(secretive, { zone: zoneId });
    expect([preview.ok, up.ok, up.outputs.phase]).toEqual([true, true, "finished"]);
    expect(JSON.stringify((await deployed()).at(-1))).toContain("hush-hush");
    for (const text of [preview.text, up.text, stack.stateText()]) expect(text).not.toContain("hush-hush");
    const again = await stack.up(secretive, { zone: zoneId });
    expect([again.requests, again.changes]).toEqual([[], { same: 2 }]);
    expect((await stack.refresh()).text + stack.stateText()).not.toContain("hush-hush");
    expect((await stack.up(secretive, { zone: zoneId })).requests).toEqual([]);
  });

  test("a migration killed while it waits continues in the next up and sends nothing again", async () => {
    await start({ progression: { never: true } });
    expect((await killAfterWrite(stack.up(program, { zoneId, migration: finish }))).ok).toBe(false);
    expect(stack.resources()).toEqual([]);
    await stack.command("cancel", "--yes");
    await stack.service.setPreviousWaf(zoneId, { progression: { reads: 0 } });
    const next = await stack.up(program, { zoneId, migration: finish });
    expect([next.ok, writesIn(next.requests), next.outputs.phase]).toEqual([true, [], "finished"]);
    expect((await stack.up(program, { zoneId, migration: finish })).requests).toEqual([]);
  });

  test.each([false, true])(
    "killed after the write, its rules are handed over by the documented program; immediately: %s",
    async (atOnce) => {
      const partner = { expression: "ip.src eq 192.0.2.1", description: "partner", products: ["waf"] };
      await start({ firewallRules: [partner], progression: { never: true } });
      expect((await killAfterWrite(stack.up(program, { zoneId, migration: finish }))).ok).toBe(false);
      await stack.command("cancel", "--yes");
      await stack.service.setPreviousWaf(zoneId, { state: "complete" });
      const before = await deployed();
      expect(before.map(({ action }) => action)).toEqual(["skip", "execute", "execute"]);
      if (!atOnce) expect((await stack.up(program, { zoneId, migration: finish })).outputs.phase).toBe("finished");
      const handing = { zoneId, migration: finish, handOver: true };
      const preview = await stack.preview(program, handing);
      expect([preview.ok, preview.text]).toEqual([true, expect.stringContaining("3 kept, 0 changed, 0 dropped")]);
      const handed = await stack.up(program, handing);
      expect([handed.ok, writesIn(handed.requests)]).toEqual([true, []]);
      expect(await deployed()).toEqual(before);
      expect(await stack.up(program, handing)).toMatchObject({ requests: [], changes: { same: 3 } });
      expect((await stack.refresh()).changes).toEqual({ same: 3 });
    },
  );

  test("a secret in the rules of a killed run stays secret, through the handover", async () => {
    const secretive = (
      { ZoneWafMigration, PhaseEntrypoint, pulumi }: Library,
      args: { zone: string; handOver: boolean },
    ) => {
      const expression = pulumi.secret('http.cookie contains "hush-hush"');
      const actionParameters = { ruleset: "current" };
      const rule = { action: "skip" as const, expression, description: "Bot", actionParameters };
      const migration = new ZoneWafMigration("shop", {
        zoneId: args.zone,
        mode: "pending",
        acknowledgeIrreversible: true,
        adjustments: { prepend: [rule] },
      });
      const phase = "http_request_firewall_managed";
      if (args.handOver)
        new PhaseEntrypoint("waf", { zoneId: args.zone, phase, rules: migration.plannedRules, onExisting: "adopt" });
      return { phase: migration.phase };
    };
    await start({ progression: { never: true } });
    await killAfterWrite(stack.up(secretive, { zone: zoneId, handOver: false }));
    await stack.command("cancel", "--yes");
    await stack.service.setPreviousWaf(zoneId, { state: "complete" });
    const before = await deployed();
    expect(JSON.stringify(before)).toContain("hush-hush");
    for (const handOver of [false, true]) {
      const preview = await stack.preview(secretive, { zone: zoneId, handOver });
      const up = await stack.up(secretive, { zone: zoneId, handOver });
      expect([preview.ok, up.ok, writesIn(up.requests)]).toEqual([true, true, []]);
      for (const text of [preview.text, up.text, stack.stateText()]) expect(text).not.toContain("hush-hush");
    }
    expect((await stack.refresh()).text + stack.stateText()).not.toContain("hush-hush");
    expect(await stack.up(secretive, { zone: zoneId, handOver: true })).toMatchObject({
      requests: [],
      changes: { same: 3 },
    });
    expect(await deployed()).toEqual(before);
  });

  test("destroy is refused in its preview, and everything else stays", async () => {
    await start();
    await stack.up(program, { zoneId, migration: finish, neighbour: true });
    expect(await failing("destroy", "--yes")).toMatch(/resource "[^"]*::shop" cannot be deleted[\s\S]*protected/);
    expect(await stack.service.requests()).toEqual([]);
    expect(await neighbours()).toBe(1);
  });

  test("destroy without a preview deletes the others before it is refused, also with the Automation API", async () => {
    await start();
    for (const destroy of [
      () => failing("destroy", "--yes", "--skip-preview"),
      async () => (await stack.destroy()).text,
    ]) {
      await stack.up(program, { zoneId, migration: finish, neighbour: true });
      expect(await neighbours()).toBe(1);
      expect(await destroy()).toMatch(/cannot be deleted/);
      expect(await neighbours()).toBe(0);
      expect(stack.resources().map(({ urn }) => urn.split("::").at(-1))).toEqual(["shop"]);
      expect(await deployed()).toHaveLength(2);
    }
  });

  test("without protection the resource itself refuses the delete", async () => {
    await start();
    await stack.up(program, { zoneId, migration: finish, options: { protect: false } });
    const refused = await stack.destroy();
    expect([refused.ok, writesIn(refused.requests)]).toEqual([false, []]);
    expect(refused.text).toMatch(/cannot be undone: no API call returns a zone to the previous WAF/);
    expect(await deployed()).toHaveLength(2);
    expect(stack.resources()).toHaveLength(1);
  });

  test("can be removed from the stack with retainOnDelete", async () => {
    await start();
    await stack.up(program, { zoneId, migration: finish });
    const options = { protect: false, retainOnDelete: true };
    expect((await stack.up(program, { zoneId, migration: finish, options })).requests).toEqual([]);
    const removed = await stack.up(program, { zoneId });
    expect([removed.ok, removed.requests]).toEqual([true, []]);
    expect(stack.resources()).toEqual([]);
    expect(await deployed()).toHaveLength(2);
  });

  test("can be removed from the stack with `pulumi state delete`, as the message shows", async () => {
    await start();
    await stack.up(program, { zoneId, migration: finish });
    await stack.up(program, { zoneId, migration: finish, options: { protect: false } });
    const { text } = await stack.up(program, { zoneId });
    const command = /`pulumi (state delete) '([^']+)' (--force)`/.exec(text);
    expect(command).not.toBeNull();
    await stack.up(program, { zoneId, migration: finish });
    await stack.command("state", "delete", command?.[2] ?? "", "--force", "--yes");
    expect(stack.resources()).toEqual([]);
    expect((await stack.up(program, { zoneId })).ok).toBe(true);
    expect(await deployed()).toHaveLength(2);
  });
});
