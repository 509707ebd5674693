import { renderMarkdown } from "../../tools/cli/summarize/markdown.js";
import { parsePreview } from "../../tools/cli/summarize/preview.js";
import { summarize } from "../../tools/cli/summarize/summarize.js";
import { countsOf } from "../support/preview-counts.js";
import { renderText } from "../../tools/cli/summarize/text.js";
import { cli, folder } from "./support.js";

const block = (ref: string, more: object = {}) => {
  return { ref, action: "block", description: `Block ${ref}`, expression: `http.host eq "${ref}"`, ...more };
};
const inputs = (rules: readonly ReturnType<typeof block>[], more: object = {}): object => ({
  zoneId: "0123456789abcdef0123456789abcdef",
  phase: "http_request_firewall_custom",
  rules: Object.fromEntries(rules.map((rule) => [rule.ref, rule])),
  order: rules.map(({ ref }) => `${ref}\n`).join(""),
  ...more,
});
const urn = "urn:pulumi:prod::firewall::pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint::waf";
const PLAN = "plan: sends PUT /zones/0123456789abcdef0123456789abcdef/rulesets/r1\n";
const root = (op: string): object => ({ op, urn: "urn:pulumi:prod::firewall::pulumi:pulumi:Stack::firewall-prod" });
const step = (op: string, before: object, after?: object): object => ({
  op,
  urn,
  oldState: { inputs: before, outputs: { rulesetId: "r1" } },
  ...(after === undefined ? {} : { newState: { inputs: after } }),
});
/** The steps of `pulumi refresh --preview-only --json`, of a resource that may be gone. */
const refreshed = (before: object, now?: object): object[] => [
  root("refresh"),
  now === undefined ? step("delete", before) : step(now === before ? "refresh" : "update", before, now),
];
/** The steps of `pulumi preview --refresh --json`: the one that reads contains only the last state. */
const previewed = (before: object, now: object, wanted: object): object[] => [
  root("refresh"),
  step("refresh", before, before),
  root("same"),
  step("update", now, wanted),
];
const preview = (...steps: readonly object[]): string =>
  JSON.stringify({ steps, diagnostics: [{ urn, severity: "info", message: PLAN }], changeSummary: countsOf(steps) });
const summaryOf = (...steps: readonly object[]) => summarize(parsePreview(preview(...steps), "preview.json"));
const failing = async (failOn: string, ...steps: readonly object[]): Promise<number> => {
  const place = folder({ "preview.json": preview(...steps) });
  return (await cli(["summarize", "--fail-on", failOn, "preview.json"], {}, place)).code;
};

test("a list that somebody else changed is not judged, and fails the gate", async () => {
  const list = (items: object) => ({ accountId: "0".repeat(32), name: "office", kind: "ip", items });
  const office = urn.replace("PhaseEntrypoint::waf", "RulesList::office");
  const change = { ...step("update", list({}), list({ "192.0.2.8": "Berlin" })), urn: office };
  const summary = summaryOf(root("refresh"), change);
  expect(summary.weakens).toBe("unknown");
  expect(renderText([summary])).toContain(
    "Not judged: list office, because the preview has not published the effect on requests",
  );
  expect(await failing("weakened", root("refresh"), change)).toBe(2);
});

const declared = inputs([block("a"), block("b"), block("c")]);
const skip = {
  ...{ action: "skip", description: "oops everything", expression: "true", position: { index: 1 } },
  actionParameters: { ruleset: "current" },
};
const withForeign = inputs([block("a"), block("b"), block("c")], { foreignRules: { f1: skip } });

describe("changes by others in a summary", () => {
  test("are shown rule by rule where the program does not undo them, and never as no change", () => {
    const others = inputs([block("c"), block("a", { action: "log" })], {
      foreignRules: { f1: skip },
      description: "x",
    });
    const summary = summaryOf(...refreshed(declared, others));
    const [drift] = summary.drift;
    if (drift?.kind !== "ruleset") throw new Error("no drift");
    expect(drift.rules.map(({ change, ref, moved }) => [change, ref, moved])).toEqual([
      ["removed", "b", false],
      ["added", "f1", false],
      ["weakened", "a", false],
      ["moved", "c", true],
    ]);
    const text = renderText([summary]);
    expect(text).toContain("1 resource changed by others.");
    expect(text).toContain("(waf) was changed by others:");
    expect(text).toContain('description: not set → "x"');
    expect(text).toMatch(/removed "Block b": block when[\s\S]*edited "Block a" \(block → log\)\n/);
    expect(text).toContain('foreign "oops everything"');
    expect(text).toContain("Lets requests through that were stopped.");
    const markdown = renderMarkdown([summary]);
    expect(markdown).toContain("### Rulesets in firewall/prod: changed by others");
    expect(markdown).toContain("| **foreign** | oops everything |");
    for (const whole of [text, markdown]) expect(whole).not.toContain("No rulesets change");
  });

  test("name the foreign rule that the program removes, with the request", () => {
    const text = renderText([summaryOf(...previewed(declared, withForeign, declared))]);
    expect(text).toMatch(/changed by others:[\s\S]*foreign "oops everything"/);
    expect(text).toMatch(/will be updated:\n {2}foreign, removed "oops everything": skip when true[\s\S]*sends PUT/);
    expect(text).toContain("Stops requests that were not stopped");
  });

  test("name a ruleset that is gone", () => {
    const text = renderText([summaryOf(...refreshed(declared))]);
    expect(text).toContain("(waf) was deleted by others:");
    expect(text).toContain('removed "Block a"');
  });

  test("are none where a refresh finds nothing", () => {
    const summary = summaryOf(...refreshed(declared, declared));
    expect(summary.drift).toEqual([]);
    expect(renderText([summary])).toBe("No rulesets change in firewall/prod.");
  });

  const less = inputs([block("a"), block("b")]);
  test.each<[string, object[], number]>([
    ["drift", previewed(declared, less, declared), 2],
    ["drift", refreshed(declared, declared), 0],
    ["removed", refreshed(declared, less), 2],
    ["removed", refreshed(declared), 2],
    ["removed", previewed(declared, less, declared), 0],
    ["removed", previewed(declared, withForeign, declared), 2],
    ["weakened", refreshed(declared, withForeign), 2],
    ["weakened", previewed(declared, withForeign, declared), 0],
    ["never", refreshed(declared, withForeign), 0],
  ])("--fail-on %s of %j ends with %d", async (failOn, steps, code) => {
    expect(await failing(failOn, ...steps)).toBe(code);
  });
});
