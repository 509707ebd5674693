import { parsePreview } from "../../tools/cli/summarize/preview.js";
import { summarize } from "../../tools/cli/summarize/summarize.js";
import { renderText } from "../../tools/cli/summarize/text.js";
import type { WireRuleset } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
const names = ["whole.test", "shared.test", "single.test"];

interface Args {
  readonly zones: readonly string[];
  readonly accountId: string;
}
interface Entry {
  readonly scope: string;
  readonly ruleset: WireRuleset;
}

/** Every way to own rules, each with the rules a, b and c. */
const program = ({ PhaseEntrypoint, Ruleset, RulesetRule }: Library, { zones, accountId }: Args) => {
  const phase = "http_request_firewall_custom";
  const [whole = "", shared = "", single = ""] = zones;
  const rules = ["a", "b", "c"].map((ref) => {
    return { ref, description: `Rule ${ref}`, action: "block" as const, expression: `http.host eq "${ref}"` };
  });
  new PhaseEntrypoint("whole", { zoneId: whole, phase, rules });
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
    return renderText([summarize(parsePreview(text.slice(text.indexOf("{")), "preview"))]);
  };
  const entries = async (): Promise<Entry[]> => {
    const zones = await Promise.all(
      args.zones.map(async (id) => ({ scope: `zones/${id}`, ruleset: await stack.service.entrypoint(id, phase) })),
    );
    const scope = `accounts/${args.accountId}`;
    const custom = (await stack.service.list(scope)).find(({ name }) => name === "Partners");
    const ruleset = custom === undefined ? undefined : await stack.service.ruleset(scope, custom.id);
    return [...zones, { scope, ruleset }].flatMap((one) =>
      one.ruleset === undefined ? [] : [{ scope: one.scope, ruleset: one.ruleset }],
    );
  };
  /** Changes the second rule of a ruleset by hand. */
  const edit = ({ scope, ruleset }: Entry, fields: object) => {
    const [, rule] = ruleset.rules;
    if (rule === undefined) throw new Error("there is no second rule");
    const { id, action, expression, description } = rule;
    return stack.service.editRule(scope, ruleset.id, id, { action, expression, description, ...fields });
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

  test("an edited, a removed and a moved rule are differences that the next up undoes", async () => {
    expect((await nightly()).ok).toBe(true);
    const [whole, shared, single, custom] = await entries();
    if (whole === undefined || shared === undefined || single === undefined || custom === undefined)
      throw new Error("an entry point is missing");
    await edit(whole, { action: "log" });
    await edit(shared, { position: { before: "" } });
    await edit(single, { action: "log" });
    await stack.service.deleteRule(custom.scope, custom.ruleset.id, custom.ruleset.rules[1]?.id ?? "");
    // Without a refresh, nothing is read.
    expect((await stack.up(program, args)).requests).toEqual([]);

    const shown = await nightly();
    expect(shown.ok).toBe(false);
    expect(shown.text).toContain("error: no changes were expected for refresh but changes were proposed");
    expect(partOf(shown.text, "whole")).toMatch(/~ b: \{\s+~ action: "block" => "log"/);
    expect(partOf(shown.text, "custom")).toMatch(/- b\n[\s\S]*- b: \{\s+- action +: "block"/);
    expect(partOf(shown.text, "shared")).toMatch(/~ order: \s+- a\s+b\s+\+ a\s+c/);
    expect(partOf(shown.text, "single-b")).toMatch(/~ action: "block" => "log"/);
    const summary = await summaryWithRefresh();
    for (const name of ["whole", "custom", "shared", "single-b"])
      expect(summary).toMatch(new RegExp(`\\(${name}\\) was changed by others`));

    expect((await stack.refresh()).changes).toEqual({ update: 4, same: 3 });
    expect((await stack.up(program, args)).ok).toBe(true);
    expect(await descriptions()).toEqual(Array(4).fill(declared));
    expect((await nightly()).ok).toBe(true);
  });

  test("a foreign rule is one of rulesets owned as a whole, for the command too, and stops an up", async () => {
    for (const { scope, ruleset } of await entries())
      await stack.service.addRule(scope, ruleset.id, { ...foreign, position: { before: "" } });
    await stack.service.forget();
    const found = await stack.tool("drift", "--stack", "dev");
    expect([found.code, found.text]).toEqual([2, expect.stringContaining("2 of 6 resources changed by others.")]);
    expect(found.text).toMatch(/\(whole\) was changed by others:\s+foreign "oops everything"/);
    expect(found.text).toMatch(/custom ruleset "Partners" of account \w+ \(custom\) was changed by others:/);
    // As a refresh: a list for each zone and account with rulesets, one for each changed ruleset, one for the single rules.
    const requests = await stack.service.requests();
    expect(writesIn(requests)).toEqual([]);
    expect(requests.length).toBeLessThanOrEqual(7);

    // Nothing of it is kept.
    const shown = await nightly();
    expect([shown.ok, shown.text]).toEqual([false, expect.stringMatching(/~ 2 to update\n\s+5 unchanged/)]);
    for (const name of ["whole", "custom"])
      expect(partOf(shown.text, name)).toMatch(
        /^\s+\+ foreignRules: \{\s+\+ [0-9a-f]{32}: \{\s+\+ action +: "skip"[\s\S]*"oops everything"[\s\S]*\+ index: 1/,
      );
    const stopped = await stack.up(program, args, { refresh: true });
    expect([stopped.ok, writesIn(stopped.requests)]).toEqual([false, []]);
    expect(stopped.text).toContain('+ skip "oops everything" when true');
    expect(stopped.text).toContain("RULESETS_ON_CONFLICT=overwrite pulumi up");
  });
});
