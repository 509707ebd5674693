import type { Rule as RulesetRule } from "../../provider/index.js";
import { writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { rulesShownBy } from "../support/shown-rules.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Entry {
  readonly name: string;
  readonly rules: readonly RulesetRule[];
  readonly more?: object;
  /** Another type of resource for the same entry point. */
  readonly as?: "Ruleset";
  readonly inComponent?: boolean;
  readonly options?: object;
}
interface Args {
  readonly zoneId: string;
  readonly entries: readonly Entry[];
}
const program = ({ PhaseEntrypoint, Ruleset, pulumi }: Library, { zoneId, entries }: Args) => {
  const where = "http_request_firewall_custom";
  for (const { name, rules, more, as, inComponent, options } of entries) {
    const parent = inComponent === true ? new pulumi.ComponentResource("test:index:Group", "group") : undefined;
    const opts = { parent, ...options };
    if (as === "Ruleset")
      new Ruleset(name, { zoneId, kind: "zone", name: "default", phase: where, rules: [...rules], ...more }, opts);
    else new PhaseEntrypoint(name, { zoneId, phase: where, rules: [...rules], ...more }, opts);
  }
};
const rules = [block("A", "ssl"), block("B", "not ssl")];

describe("no rule is lost by accident", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterEach(() => stack.close());
  const deployed = () => stack.service.rules(zoneId, phase);
  const one = (name: string, list: readonly RulesetRule[] = rules, more: Partial<Entry> = {}): Args => ({
    zoneId,
    entries: [{ name, rules: list, ...more }],
  });
  const byHand = (...list: object[]) =>
    stack.service.create(`zones/${zoneId}`, { name: "dashboard", kind: "zone", phase, rules: list });

  test("an occupied phase is refused at preview and nothing is written; replace lists what will be removed", async () => {
    const ruleset = await byHand({ action: "block", expression: "ip.src eq 203.0.113.9", description: "3am" });
    const preview = await stack.preview(program, one("mine"));
    expect(preview.ok).toBe(false);
    expect(preview.text).toContain(
      `${phase} of zone ${zoneId} already exists: ruleset ${ruleset.id}, version 1, with 1 rule`,
    );
    expect(preview.text).toContain(`- block [ref ${ruleset.rules[0]?.ref ?? ""}, last changed `);
    expect(preview.text).toContain(
      'if this resource was renamed: add { aliases: [{ name: "<previous name>" }] } to its options',
    );
    expect(preview.text).not.toContain("3am");
    expect(preview.requests).toHaveLength(2);
    const up = await stack.up(program, one("mine"));
    expect([up.ok, writesIn(up.requests)]).toEqual([false, []]);
    const replacing = await stack.preview(program, one("mine", rules, { more: { onExisting: "replace" } }));
    expect(replacing.text).toMatch(
      /takes over [0-9a-f]{32}, version 1: 0 kept, 0 changed, 1 dropped, 2 added\n\s+- block \[ref /,
    );
    expect((await stack.up(program, one("mine", rules, { more: { onExisting: "replace" } }))).ok).toBe(true);
    expect((await deployed()).map(({ description }) => description)).toEqual(["A", "B"]);
  });

  test("rules made in the dashboard are taken over by pasting what the preview's command prints: no write, no new ID", async () => {
    await byHand(
      { action: "block", expression: "ssl", description: "A" },
      { action: "skip", expression: "ip.src eq 192.0.2.1", action_parameters: { phases: ["http_ratelimit"] } },
    );
    const before = await deployed();
    const preview = await stack.preview(program, one("mine", [], { more: { onExisting: "adopt" } }));
    expect(preview.ok).toBe(false);
    const list = (await rulesShownBy(preview.text, stack.service.emulator.url)) as RulesetRule[];
    expect(list).toHaveLength(2);
    const up = await stack.up(program, one("mine", list, { more: { onExisting: "adopt" } }));
    expect([up.ok, writesIn(up.requests)]).toEqual([true, []]);
    expect(up.text).toContain("2 kept, 0 changed, 0 dropped");
    expect(await deployed()).toEqual(before);
    expect((await stack.up(program, one("mine", list, { more: { onExisting: "adopt" } }))).requests).toEqual([]);
    expect((await stack.refresh()).changes).toEqual({ same: 2 });
  });

  test("someone else's rule is kept, stops a change at preview and at apply, and is removed only on request", async () => {
    await stack.up(program, one("mine"));
    const id = (await stack.service.entrypoint(zoneId, phase))?.id ?? "";
    await stack.service.addRule(`zones/${zoneId}`, id, {
      action: "block",
      expression: "ip.src eq 203.0.113.9",
      description: "3am",
    });
    expect((await stack.up(program, one("mine"))).requests).toEqual([]);
    expect((await stack.refresh()).changes).toEqual({ same: 1, update: 1 });
    const alone = await stack.up(program, one("mine"));
    expect([alone.ok, writesIn(alone.requests)]).toEqual([false, []]);
    expect(alone.text).toContain('+ block "3am" when ip.src eq 203.0.113.9');
    const changed = one("mine", [...rules, block("C", "true")]);
    for (const outcome of [await stack.preview(program, changed), await stack.up(program, changed)]) {
      expect(outcome.ok).toBe(false);
      expect(outcome.text).toContain('+ block "3am" when ip.src eq 203.0.113.9');
      expect(outcome.text).toContain("RULESETS_ON_CONFLICT=overwrite pulumi up");
      expect(writesIn(outcome.requests)).toEqual([]);
    }
    expect(await deployed()).toHaveLength(3);
    const destroyed = await stack.destroy();
    expect([destroyed.ok, writesIn(destroyed.requests)]).toEqual([false, []]);
    stack.setEnv({ RULESETS_ON_CONFLICT: "overwrite" });
    expect((await stack.up(program, changed)).ok).toBe(true);
    expect((await deployed()).map(({ description }) => description)).toEqual(["A", "B", "C"]);
  });

  test.each<[string, Partial<Entry>]>([
    ["renamed", { name: "renamed" }],
    ["moved into a component", { inComponent: true }],
    ["turned into a Ruleset", { as: "Ruleset" }],
  ])("an entry point %s and adopted keeps rules and IDs, and a later destroy works", async (_, without) => {
    const change = { ...without, more: { onExisting: "adopt" } };
    await stack.up(program, one("mine"));
    const before = await deployed();
    const up = await stack.up(program, one("mine", rules, change));
    expect([up.ok, writesIn(up.requests)]).toEqual([true, []]);
    expect(up.text).toMatch(/was not deleted: .* manages it now\. No request was sent\./);
    expect(await deployed()).toEqual(before);
    expect(stack.resources()).toHaveLength(1);
    expect((await stack.up(program, one("mine", rules, change))).requests).toEqual([]);
    expect((await stack.destroy()).ok).toBe(true);
    expect(await deployed()).toEqual([]);
  });

  test("an entry point renamed with an alias may change in the same run", async () => {
    await stack.up(program, one("mine"));
    const before = await deployed();
    const renamed = one("renamed", [...rules, block("C", "true")], { options: { aliases: [{ name: "mine" }] } });
    expect((await stack.up(program, renamed)).changes).toEqual({ same: 1, update: 1 });
    expect((await deployed()).slice(0, 2)).toEqual(before);
  });

  test("a run killed between create and delete of a rename can be completed", async () => {
    await stack.up(program, one("mine"));
    const before = await deployed();
    const renaming = one("renamed", rules, { more: { onExisting: "adopt" } });
    await stack.up(program, renaming);
    // The killed run leaves both resources in the state.
    await stack.rewriteState((text) => {
      const state = JSON.parse(text) as { deployment: { resources: { urn: string; type: string }[] } };
      const { resources } = state.deployment;
      const renamed = resources.find(({ urn }) => urn.endsWith("::renamed"));
      const old = JSON.parse(JSON.stringify(renamed).replaceAll("::renamed", "::mine")) as {
        urn: string;
        type: string;
      };
      return JSON.stringify({ ...state, deployment: { ...state.deployment, resources: [...resources, old] } });
    });
    expect(stack.resources()).toHaveLength(2);
    const next = await stack.up(program, renaming);
    expect([next.ok, next.requests]).toEqual([true, []]);
    expect(next.text).toContain("No request was sent.");
    expect(await deployed()).toEqual(before);
    expect((await stack.destroy()).ok).toBe(true);
    expect(await deployed()).toEqual([]);
  });
});
