import type { Rule as RulesetRule } from "../../provider/index.js";
import { writesIn } from "../support/requests.js";
import { block } from "../support/rules.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
  readonly more?: object;
  readonly name?: string;
  readonly custom?: string;
  readonly gone?: boolean;
}
const program = ({ PhaseEntrypoint, Ruleset }: Library, { zoneId, rules, more, name, custom, gone }: Args) => {
  const where = "http_request_firewall_custom";
  if (gone === true) return;
  if (custom !== undefined) {
    new Ruleset(name ?? "mine", { zoneId, kind: "custom", name: custom, phase: where, rules: [...rules], ...more });
    return;
  }
  new PhaseEntrypoint(name ?? "mine", { zoneId, phase: where, rules: [...rules], ...more });
};
const rules = [block("A", "ssl"), block("B", "not ssl")];
const night = { action: "block", expression: "ip.src eq 203.0.113.9", description: "3am" };

describe("ownership of rulesets", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterEach(() => stack.close());
  const entry = () => stack.service.entrypoint(zoneId, phase);
  const deployed = () => stack.service.rules(zoneId, phase);
  const run = (more: Partial<Args> = {}): Args => ({ zoneId, rules, ...more });
  const customs = async () => (await stack.service.list(`zones/${zoneId}`)).filter(({ kind }) => kind === "custom");

  test("a custom ruleset renamed in the program is the same ruleset", async () => {
    await stack.up(program, run({ custom: "shared" }));
    const before = await customs();
    const renamed = await stack.up(program, run({ custom: "shared", name: "renamed" }));
    expect([renamed.ok, writesIn(renamed.requests)]).toEqual([true, []]);
    expect(await customs()).toEqual(before);
    // Without `aliases` it was only taken over, so a destroy leaves it.
    expect((await stack.destroy()).ok).toBe(true);
    expect(await customs()).toEqual(before);
  });

  test("two resources for one custom ruleset fail, with both URNs", async () => {
    const old = await stack.service.create(`zones/${zoneId}`, { name: "by hand", kind: "custom", phase, rules: [] });
    const both = ({ Ruleset }: Library, { zone, id }: { zone: string; id: string }) => {
      const args = {
        zoneId: zone,
        kind: "custom",
        name: "by hand",
        phase: "http_request_firewall_custom",
        rulesetId: id,
      };
      new Ruleset("one", args);
      new Ruleset("two", args);
    };
    const preview = await stack.preview(both, { zone: zoneId, id: old.id });
    expect(preview.ok).toBe(false);
    expect(preview.text).toMatch(
      /custom ruleset "by hand" of zone [0-9a-f]{32} has two owners in this program: \S+::one and \S+::two/,
    );
  });

  test("two identical custom rulesets are two rulesets", async () => {
    const twins = ({ Ruleset }: Library, { zone }: { zone: string }) => {
      const rules = [{ action: "block" as const, expression: "ssl" }];
      const args = { zoneId: zone, kind: "custom", name: "twin", phase: "http_request_firewall_custom", rules };
      new Ruleset("one", args);
      new Ruleset("two", args);
    };
    expect((await stack.up(twins, { zone: zoneId })).changes).toEqual({ create: 3 });
    expect(await customs()).toHaveLength(2);
    expect((await stack.up(twins, { zone: zoneId })).requests).toEqual([]);
  });

  test("the variable overrides the argument, and the argument overrides the configuration", async () => {
    const changed = (more: object = {}) => run({ rules: [...rules, block("C", "true")], more });
    await stack.up(program, run());
    await stack.service.addRule(`zones/${zoneId}`, (await entry())?.id ?? "", night);
    stack.setEnv({ RULESETS_ON_CONFLICT: "fail" });
    expect((await stack.preview(program, changed({ onConflict: "overwrite" }))).ok).toBe(false);
    stack.setEnv({ RULESETS_ON_CONFLICT: undefined });
    await stack.setConfig({ "rulesets:onConflict": { value: "overwrite" } });
    expect((await stack.preview(program, changed({ onConflict: "fail" }))).ok).toBe(false);
    const preview = await stack.preview(program, changed());
    expect(preview.ok).toBe(true);
    expect(preview.text).toContain('onConflict is "overwrite", so this change undoes it:');
    expect(preview.text).not.toMatch(/No request was sent|To continue/);
    expect(preview.text).toContain('+ block "3am"');
    expect((await stack.up(program, changed({ onConflict: "overwrite" }))).ok).toBe(true);
    expect((await deployed()).map(({ description }) => description)).toEqual(["A", "B", "C"]);
  });

  test("up --refresh reports that the refresh succeeded and the change after it was stopped", async () => {
    await stack.up(program, run());
    await stack.service.addRule(`zones/${zoneId}`, (await entry())?.id ?? "", night);
    const changed = run({ rules: [...rules, block("C", "true")] });
    const invalid = run({ rules: [block("A", "(")] });
    const [conflict, refused, alone] = [
      await stack.up(program, changed, { refresh: true }),
      await stack.up(program, invalid, { refresh: true }),
      await stack.up(program, changed),
    ];
    expect([conflict.ok, refused.ok, alone.ok]).toEqual([false, false, false]);
    // The engine labels the row like this, whatever failed after the refresh.
    expect(conflict.text).toContain("refreshing failed");
    expect(conflict.text).toMatch(
      /error: the refresh succeeded; the change after it was stopped: http_request_firewall_custom of zone/,
    );
    expect(refused.text).toMatch(
      /the refresh succeeded; the change after it was stopped: rule "A", rules\[0\]\.expression/,
    );
    expect(alone.text).not.toContain("the refresh succeeded");
  });

  test("the preview of a delete reports how many rules stop working", async () => {
    await stack.up(program, run({ rules: [...rules, { ...block("Off", "true"), enabled: false }] }));
    const preview = await stack.preview(program, run({ gone: true }));
    expect(preview.changes).toEqual({ same: 1, delete: 1 });
    expect(preview.text).toMatch(/rulesInForce *: 2/);
    expect(preview.requests).toEqual([]);
    expect((await stack.up(program, run({ gone: true }))).ok).toBe(true);
    expect(await deployed()).toEqual([]);
  });
});
