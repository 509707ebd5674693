import type { PreviousWafSeed } from "../../emulator/index.js";
import type { ZoneWafMigrationArgs } from "../../provider/index.js";
import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

const PHASE = "http_request_firewall_managed";
const NAME = "old.example.com";

interface Args {
  readonly zoneId: string;
  readonly migration?: Omit<ZoneWafMigrationArgs, "zoneId">;
  /** Whether an exception with a secret is prepended to the rules. */
  readonly hasSecret?: boolean;
  /** Whether to declare the entry point with the planned rules. */
  readonly handOver?: boolean;
  /** Whether to declare another resource, which a destroy would delete. */
  readonly neighbour?: boolean;
}
const program = ({ ZoneWafMigration, PhaseEntrypoint, pulumi }: Library, args: Args) => {
  const { zoneId } = args;
  if (args.neighbour === true) {
    const rules = [{ action: "block" as const, expression: "ssl", description: "neighbour" }];
    new PhaseEntrypoint("neighbour", { zoneId, phase: "http_request_firewall_custom", rules });
  }
  if (args.migration === undefined) return {};
  const expression = pulumi.secret('http.cookie contains "hush-hush"');
  const rule = { action: "skip" as const, expression, description: "Bot", actionParameters: { ruleset: "current" } };
  const adjustments = args.hasSecret === true ? { prepend: [rule] } : undefined;
  const migration = new ZoneWafMigration("shop", { zoneId, adjustments, ...args.migration });
  if (args.handOver === true) {
    const waf = { zoneId, phase: "http_request_firewall_managed", onExisting: "adopt" } as const;
    new PhaseEntrypoint("waf", { ...waf, rules: migration.plannedRules });
  }
  const { phase, migrationState, configDigest, newWaf } = migration;
  return { phase, migrationState, configDigest, newWaf };
};
const finish = { mode: "pending", acknowledgeIrreversible: NAME } as const;

describe("the migration of a zone", () => {
  let stack: EngineStack;
  let zoneId: string;
  const start = async (previousWaf: PreviousWafSeed = {}): Promise<void> => {
    stack = await EngineStack.start({ seed: { zones: [{ name: NAME, previousWaf }] } });
    zoneId = await stack.service.zone();
  };
  const deployed = () => stack.service.rules(zoneId, PHASE);
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

  test("killed while it waits continues in the next up, which hands its rules over by the documented program", async () => {
    const partner = { expression: "ip.src eq 192.0.2.1", description: "partner", products: ["waf"] };
    await start({ firewallRules: [partner], progression: { never: true } });
    const put = `PUT /zones/${zoneId}/rulesets/phases/${PHASE}/entrypoint`;
    const running = stack.up(program, { zoneId, migration: finish });
    expect((await stack.killDuring(running, async () => (await stack.service.peek()).includes(put))).ok).toBe(false);
    expect(stack.resources()).toEqual([]);
    await stack.command("cancel", "--yes");
    await stack.service.setPreviousWaf(zoneId, { state: "complete" });
    const before = await deployed();
    expect(before.map(({ action }) => action)).toEqual(["skip", "execute", "execute"]);
    const handing = { zoneId, migration: finish, handOver: true };
    const handed = await stack.up(program, handing);
    expect([handed.ok, writesIn(handed.requests), handed.outputs.phase]).toEqual([true, [], "finished"]);
    expect(handed.text).toContain("3 kept, 0 changed, 0 dropped");
    expect(await deployed()).toEqual(before);
    expect(await stack.up(program, handing)).toMatchObject({ requests: [], changes: { same: 3 } });
  });

  test("stops a destroy in its preview, where everything stays, and without a preview after the others are deleted", async () => {
    await start();
    await stack.up(program, { zoneId, migration: finish, neighbour: true });
    expect(await failing("destroy", "--yes")).toMatch(/resource "[^"]*::shop" cannot be deleted[\s\S]*protected/);
    expect(await stack.service.requests()).toEqual([]);
    expect(await neighbours()).toBe(1);
    expect(await failing("destroy", "--yes", "--skip-preview")).toMatch(/cannot be deleted/);
    expect(await neighbours()).toBe(0);
    expect(stack.resources().map(({ urn }) => urn.split("::").at(-1))).toEqual(["shop"]);
    expect(await deployed()).toHaveLength(2);
  });
});
