import { parsePreview } from "../../cli/summarize/preview.js";
import { summarize } from "../../cli/summarize/summarize.js";
import { describeKind } from "../support/describe.js";
import { renderText } from "../../cli/summarize/text.js";
import type { WireRuleset } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
const names = ["whole.test", "shared.test", "single.test"];

interface Args {
  readonly zones: readonly string[];
  readonly accountId: string;
  readonly pasted?: object;
}
/** Every way to own rules, each with the rules a, b and c; `pasted` is the first rule of `whole`. */
const program = ({ PhaseEntrypoint, Ruleset, RulesetRule }: Library, { zones, accountId, pasted }: Args) => {
  const phase = "http_request_firewall_custom";
  const [whole = "", shared = "", single = ""] = zones;
  const rules = ["a", "b", "c"].map((ref) => {
    return { ref, description: `Rule ${ref}`, action: "block" as const, expression: `http.host eq "${ref}"` };
  });
  const first = pasted === undefined ? [] : [pasted as (typeof rules)[0]];
  new PhaseEntrypoint("whole", { zoneId: whole, phase, rules: [...first, ...rules] });
  new Ruleset("custom", { accountId, kind: "custom", name: "Partners", phase, rules });
  new PhaseEntrypoint("shared", { zoneId: shared, phase, ownership: "shared", rules });
  let last: InstanceType<typeof RulesetRule> | undefined;
  for (const rule of rules) {
    const position = last === undefined ? {} : { position: { after: last } };
    last = new RulesetRule(`single-${rule.ref}`, { zoneId: single, phase, ...rule, ...position });
  }
};

describe("changes by others in a refresh", () => {
  let stack: EngineStack;
  let args: Args;
  beforeEach(async () => {
    stack = await EngineStack.start({ seed: { zones: names.map((name) => ({ name, plan: "enterprise" })) } });
    const zones = await Promise.all(names.map((name) => stack.service.zoneNamed(name)));
    args = { zones, accountId: await stack.service.account() };
    expect((await stack.up(program, args)).changes).toEqual({ create: 7 });
  });
  afterEach(() => stack.close());

  /** A Pulumi command; whether it succeeded, and what it printed. */
  const command = async (...words: string[]): Promise<{ readonly ok: boolean; readonly text: string }> => {
    try {
      return { ok: true, text: await stack.command(...words) };
    } catch (error) {
      return { ok: false, text: (error as Error).message };
    }
  };
  /** What a command with `--diff` shows of a resource. */
  const partOf = (text: string, name: string): string =>
    text.split(`::${name}]`)[1]?.split(/\n.*\(\w+\)\n|\nResources:/)[0] ?? "";
  const nightly = () => command("refresh", "--preview-only", "--expect-no-changes", "--diff");
  const summaryWithRefresh = async (): Promise<string> => {
    const { text } = await stack.previewJson(program, args, { refresh: true });
    return renderText([summarize(parsePreview(text.slice(text.indexOf("{")), "preview"), describeKind)]);
  };
  const entries = async (): Promise<{ readonly scope: string; readonly ruleset: WireRuleset }[]> => {
    const zones = await Promise.all(
      args.zones.map(async (id) => ({ scope: `zones/${id}`, ruleset: await stack.service.entrypoint(id, phase) })),
    );
    const scope = `accounts/${args.accountId}`;
    const custom = (await stack.service.list(scope)).find(({ name }) => name === "Partners");
    const all = [...zones, { scope, ruleset: await stack.service.ruleset(scope, custom?.id ?? "") }];
    return all.flatMap(({ scope, ruleset }) => (ruleset === undefined ? [] : [{ scope, ruleset }]));
  };
  /** Changes every ruleset by hand. */
  const everywhere = async (change: (scope: string, id: string, rules: WireRuleset["rules"]) => Promise<unknown>) => {
    for (const { scope, ruleset } of await entries()) await change(scope, ruleset.id, ruleset.rules);
  };
  const foreign = {
    action: "skip",
    expression: "true",
    description: "oops everything",
    action_parameters: { ruleset: "current" },
  };
  const descriptions = async () =>
    (await entries()).map(({ ruleset }) => ruleset.rules.map(({ description }) => description));
  const declared = ["Rule a", "Rule b", "Rule c"];

  test("nothing changed, so nothing is expected to change", async () => {
    expect((await nightly()).ok).toBe(true);
  });

  test("a foreign rule is a difference of rulesets owned as a whole, and the next up treats it as onConflict says", async () => {
    await everywhere((scope, id) => stack.service.addRule(scope, id, { ...foreign, position: { before: "" } }));
    // Without a refresh, nothing is read.
    expect((await stack.up(program, args)).requests).toEqual([]);
    const shown = await nightly();
    expect(shown.ok).toBe(false);
    expect(shown.text).toContain("error: no changes were expected for refresh but changes were proposed");
    expect(shown.text).toMatch(/~ 2 to update\n\s+5 unchanged/);
    for (const name of ["whole", "custom"])
      expect(partOf(shown.text, name)).toMatch(
        /^\s+\+ foreignRules: \{\s+\+ [0-9a-f]{32}: \{\s+\+ action +: "skip"[\s\S]*"oops everything"[\s\S]*\+ index: 1/,
      );
    const preview = await stack.preview(program, args, { refresh: true });
    expect(preview.ok).toBe(false);
    expect(preview.text).toContain('+ skip "oops everything" when true');
    expect(preview.text).toContain('ref: "');
    expect(preview.text).toContain("RULESETS_ON_CONFLICT=overwrite pulumi up");

    // The preview of a program that removes it names it as a difference, before a refresh is kept.
    stack.setEnv({ RULESETS_ON_CONFLICT: "overwrite" });
    const summary = await summaryWithRefresh();
    expect(summary).toMatch(/\(whole\) was changed by others:\s+foreign "oops everything"/);
    expect(summary).toMatch(/\(whole\) will be updated:\s+foreign, removed "oops everything"/);
    stack.setEnv({ RULESETS_ON_CONFLICT: "" });

    expect((await stack.refresh()).changes).toEqual({ update: 2, same: 5 });
    expect((await nightly()).ok).toBe(true);
    for (const outcome of [await stack.preview(program, args), await stack.up(program, args)]) {
      expect([outcome.ok, writesIn(outcome.requests)]).toEqual([false, []]);
      expect(outcome.text).toContain('+ skip "oops everything" when true');
    }

    const { ref = "" } = (await entries())[0]?.ruleset.rules[0] ?? {};
    const { action_parameters: actionParameters, ...rest } = foreign;
    const pasted = { ...args, pasted: { ref, ...rest, actionParameters } };
    stack.setEnv({ RULESETS_ON_CONFLICT: "overwrite" });
    const up = await stack.up(program, pasted);
    expect([up.ok, writesIn(up.requests)]).toEqual([true, [expect.stringMatching(/^PUT \/accounts/)]]);
    expect(up.text).toMatch(/undoes it:\s+\+ skip "oops everything"[\s\S]*To restore it, add to `rules`:/);
    expect(await descriptions()).toEqual([
      ["oops everything", ...declared],
      ["oops everything", ...declared],
      ["oops everything", ...declared],
      declared,
    ]);
    stack.setEnv({ RULESETS_ON_CONFLICT: "" });
    expect((await stack.up(program, pasted)).requests).toEqual([]);
    expect((await stack.refresh()).changes).toEqual({ same: 7 });
  });

  test("the command finds the same in the state that pulumi prints, by itself", async () => {
    expect(await stack.tool("drift")).toMatchObject({ code: 3, text: expect.stringContaining("stack") as string });
    const clean = await stack.tool("drift", "--stack", "dev");
    expect([clean.code, clean.text.trim()]).toEqual([0, "test/dev: 6 resources compared, no drift."]);
    await everywhere((scope, id) => stack.service.addRule(scope, id, { ...foreign, position: { before: "" } }));
    await stack.service.forget();
    const found = await stack.tool("drift", "--all-stacks");
    expect(found.code).toBe(2);
    expect(found.text).toContain("test/dev: 2 of 6 resources changed by others.");
    expect(found.text).toMatch(/\(whole\) was changed by others:\s+foreign "oops everything"/);
    expect(found.text).toMatch(/custom ruleset "Partners" of account \w+ \(custom\) was changed by others:/);
    // As a refresh: a list for each zone and account with rulesets, one for each changed ruleset, one for the single rules.
    const requests = await stack.service.requests();
    expect(writesIn(requests)).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(7);
    // Nothing of it is kept.
    expect((await nightly()).ok).toBe(false);
  });

  const missing = (): never => {
    throw new Error("no rule");
  };
  type Change = (scope: string, id: string, rules: WireRuleset["rules"]) => Promise<unknown>;
  const edit =
    (fields: object): Change =>
    (scope, id, rules) => {
      const { id: ruleId, action, expression, description } = rules[1] ?? missing();
      return stack.service.editRule(scope, id, ruleId, { action, expression, description, ...fields });
    };
  const remove: Change = (scope, id, rules) => stack.service.deleteRule(scope, id, rules[1]?.id ?? "");

  test.each<[string, Change, RegExp, RegExp]>([
    ["edited", edit({ action: "log" }), /~ b: \{\s+~ action: "block" => "log"/, /~ action: "block" => "log"/],
    ["removed", remove, /- b\n[\s\S]*- b: \{\s+- action +: "block"/, /- ref +: "b"/],
    ["moved", edit({ position: { before: "" } }), /~ order: \s+- a\s+b\s+\+ a\s+c/, /~ position: \{\s+- after : "a"/],
  ])("a rule that was %s is a difference that the next up undoes", async (_, change, inList, alone) => {
    await everywhere(change);
    expect((await stack.up(program, args)).requests).toEqual([]);
    const shown = await nightly();
    expect(shown.ok).toBe(false);
    for (const name of ["whole", "custom", "shared"]) expect(partOf(shown.text, name)).toMatch(inList);
    expect(partOf(shown.text, "single-b")).toMatch(alone);
    const summary = await summaryWithRefresh();
    for (const name of ["whole", "custom", "shared", "single-b"])
      expect(summary).toMatch(new RegExp(`\\(${name}\\) was (changed|deleted) by others`));
    const refreshed = await stack.refresh();
    expect(refreshed.ok).toBe(true);
    expect((refreshed.changes.update ?? 0) + (refreshed.changes.delete ?? 0)).toBe(4);
    expect((await nightly()).ok).toBe(true);
    expect((await stack.up(program, args)).ok).toBe(true);
    expect(await descriptions()).toEqual(Array(4).fill(declared));
    expect((await stack.up(program, args)).requests).toEqual([]);
    expect((await nightly()).ok).toBe(true);
  });

  test("destroy --refresh deletes what was edited, and stops at foreign rules", async () => {
    await everywhere(edit({ action: "log" }));
    const { id = "", rules = [] } = (await entries())[0]?.ruleset ?? {};
    await stack.service.addRule(`zones/${args.zones[0] ?? ""}`, id, { ...foreign, position: { before: "" } });
    const stopped = await stack.destroy({ refresh: true });
    expect(stopped.ok).toBe(false);
    expect(stopped.text).toContain('+ skip "oops everything" when true');
    expect(stopped.text).not.toContain("was not deleted");
    expect(stack.resources().map(({ urn }) => urn)).toEqual([expect.stringMatching(/::whole$/)]);
    const left = () => Promise.all(args.zones.map(async (id) => (await stack.service.rules(id, phase)).length));
    expect(await left()).toEqual([rules.length + 1, 0, 0]);
    stack.setEnv({ RULESETS_ON_CONFLICT: "overwrite" });
    expect((await stack.destroy({ refresh: true })).ok).toBe(true);
    expect(await left()).toEqual([0, 0, 0]);
  });
});
