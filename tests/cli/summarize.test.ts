import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";
import { code } from "../../tools/cli/markdown.js";
import { markdownText } from "../../core/model/markdown.js";
import { renderMarkdown } from "../../tools/cli/summarize/markdown.js";
import { parsePreview } from "../../tools/cli/summarize/preview.js";
import { listEffectText, type PublishedEffect } from "../../provider/validation/published-effect.js";
import { summarize } from "../../tools/cli/summarize/summarize.js";
import { countsOf } from "../support/preview-counts.js";
import { renderText } from "../../tools/cli/summarize/text.js";
import type { RulesetSummary, Summary } from "../../tools/cli/summarize/summary.js";
import { effectText } from "../../provider/validation/index.js";
import { diffRules } from "../../core/rules/diff.js";
import { keyedEntries } from "../../core/rules/keyed.js";
import { removalWarning, summaryLine } from "../../core/rules/summary.js";
import { planText } from "../../provider/engine/plan-text.js";
import type { PreviewPlan } from "../../provider/engine/preview-plan.js";
import { textOf, type JsonObject } from "../../core/model/json.js";
import { split } from "../../provider/sdk/writing/rollout.js";
import { cli, folder, main, root } from "./support.js";
import { fc } from "../support/properties.js";

const ZONE = "0123456789abcdef0123456789abcdef";
const CUSTOM = "http_request_firewall_custom";
const MANAGED = "efb7b8c949ac4650a09736fc376e9aee";
/** What the engine has for a value that is not known yet. */
const LATER = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
const SCORING = "6179ae15870a4bb7b2d480d4843b323c";
type Rule = JsonObject;
type Rules = Readonly<Record<string, Rule>>;

const execute = (actionParameters: JsonObject): Rule => ({ action: "execute", expression: "true", actionParameters });
const block = (description: string, path: string): Rule => ({
  action: "block",
  description,
  expression: `http.request.uri.path eq "${path}"`,
});

const inputs = (rules: Rules | string, more: object = {}): object => ({
  phase: CUSTOM,
  zoneId: ZONE,
  rules,
  order:
    typeof rules === "string"
      ? rules
      : Object.keys(rules)
          .map((ref) => `${ref}\n`)
          .join(""),
  ...more,
});

const urn = (name: string, type = "PhaseEntrypoint"): string =>
  `urn:pulumi:prod::firewall::pulumi-nodejs:dynamic/rulesets:${type}::${name}`;

interface StepOptions {
  readonly before?: object;
  readonly after?: object;
  readonly detailedDiff?: object;
  readonly type?: string;
  readonly name?: string;
  /** Outputs in the state before, in addition to the ID of the ruleset. */
  readonly outputs?: object;
  /** What the preview plans. @default nothing is sent */
  readonly plan?: Partial<PreviewPlan> | "missing";
}

const step = (op: string, { before, after, detailedDiff, type, name = "waf", outputs, plan = {} }: StepOptions) => ({
  op,
  urn: urn(name, type),
  ...(before === undefined ? {} : { oldState: { inputs: before, outputs: { rulesetId: "r1", ...outputs } } }),
  ...(after === undefined ? {} : { newState: { inputs: after } }),
  detailedDiff: detailedDiff ?? null,
  // Not part of a preview: its message is.
  ...(plan === "missing" ? {} : { planned: planText({ writes: [], rules: {}, unseen: [], ...plan }) }),
});

type PreviewStep = ReturnType<typeof step>;

const planOf = ({ urn, op, planned }: PreviewStep): object[] =>
  planned === undefined || !["create", "update", "replace", "create-replacement"].includes(op)
    ? []
    : [{ urn, severity: "info", message: `${planned}\n` }];

const previewOf = (steps: readonly object[], diagnostics: readonly object[] = []): string =>
  JSON.stringify({
    steps,
    diagnostics: [...diagnostics, ...(steps as PreviewStep[]).flatMap(planOf)],
    changeSummary: countsOf(steps),
  });
const summaryOf = (steps: readonly object[], diagnostics: readonly object[] = []): Summary =>
  summarize(parsePreview(previewOf(steps, diagnostics), "preview.json"));
const update = (before: Rules, after: Rules, more: Partial<StepOptions> = {}): Summary =>
  summaryOf([step("update", { before: inputs(before), after: inputs(after), ...more })]);
const ruleset = (summary: Summary): RulesetSummary => {
  const [first] = summary.resources;
  if (first?.kind !== "ruleset") throw new Error("no ruleset changes");
  return first;
};
const markdown = (summary: Summary, budget = 60_000): string => renderMarkdown([summary], { budget });

const admin = block("Block admin", "/admin");
const login = block("Block login", "/login");
const old = block("Block old", "/old");

describe("a rule that is removed after its end", () => {
  const at = Date.parse("2026-01-01T00:00:00Z") / 1000;
  const until = (rule: Rule, second: number): Rule => ({
    ...rule,
    expression: `${textOf(rule.expression)} and http.request.timestamp.sec lt ${String(second)}`,
  });
  const summaryAt = (...steps: object[]) => summarize(parsePreview(previewOf(steps), "preview.json"), new Map(), at);

  test("is no loss of protection, and is named as what it is", () => {
    const sale = until(block("Sale", "/sale"), at);
    const summary = summaryAt(step("update", { before: inputs({ admin, sale }), after: inputs({ admin }) }));
    expect(summary).toMatchObject({ weakens: "no", counts: { removed: 0, expired: 1, unchanged: 1 } });
    const text = renderText([summary]);
    expect(text).toContain('expired rule removed "Sale" (it expired at the end of 2025-12-31 (UTC))');
    expect(text).not.toContain("weakened");
    expect(markdown(summary)).toContain("| expired rule removed | Sale | it expired at the end of 2025-12-31");
    expect(markdown(summary)).toContain("1 expired and removed");
  });

  test("is a loss as long as its time is not over", () => {
    const sale = until(block("Sale", "/sale"), at + 1);
    const summary = summaryAt(step("update", { before: inputs({ admin, sale }), after: inputs({ admin }) }));
    expect(summary).toMatchObject({ weakens: "yes", counts: { removed: 1, expired: 0 } });
  });

  test("does nothing to requests while it stays, whatever changes in it", () => {
    const detailedDiff = { 'rules["sale"].action': { kind: "update" } };
    const change = (second: number) => {
      const sale = { ...until(block("Sale", "/sale"), second), action: "[secret]" };
      return summaryAt(step("update", { before: inputs({ sale }), after: inputs({ sale }), detailedDiff }));
    };
    expect(ruleset(change(at + 1))).toMatchObject({ rules: [{ change: "changed" }], effect: { notJudged: [{}] } });
    const over = change(at);
    expect(ruleset(over)).toMatchObject({ rules: [{ change: "changed" }], effect: { notJudged: [] } });
    expect(over.weakens).toBe("no");
  });
});

describe("the rules of a summary", () => {
  test("are sorted: removed and weakened, then changed, added and moved, then unchanged", () => {
    const summary = update(
      { admin, login, old, moved: block("Moved", "/m"), same: block("Same", "/s") },
      {
        moved: block("Moved", "/m"),
        admin: { ...admin, action: "log" },
        login: { ...login, description: "Block the login" },
        fresh: block("Fresh", "/f"),
        same: block("Same", "/s"),
      },
    );
    expect(ruleset(summary).rules.map(({ change, ref }) => [change, ref])).toEqual([
      ["removed", "old"],
      ["weakened", "admin"],
      ["changed", "login"],
      ["added", "fresh"],
      ["moved", "moved"],
      ["unchanged", "same"],
    ]);
    expect(summary.counts).toMatchObject({ removed: 1, weakened: 1, changed: 1, added: 1, moved: 1, unchanged: 1 });
  });

  test("are named by their description, or by their ref if they have none", () => {
    const rows = ruleset(update({}, { admin, bare: { action: "log", expression: "true" } })).rules;
    expect(rows.map(({ name }) => name)).toEqual(["Block admin", "bare"]);
  });

  test("are named by the managed ruleset that they execute if they have no description", () => {
    const after = { "execute-47d5": execute({ id: MANAGED }), "execute-0b1c": execute({ id: ZONE }) };
    const rows = ruleset(update({}, after)).rules;
    expect(rows.map(({ name }) => name)).toEqual(["execute Cloudflare Managed Ruleset", "execute-0b1c"]);
  });

  test("show the names of managed rulesets and rules after the IDs in a change", () => {
    const core = (scoreThreshold: number) =>
      execute({ id: OWASP, overrides: { rules: [{ id: SCORING, scoreThreshold }] } });
    const exception = { action: "skip", expression: "ssl", description: "Exception" };
    const skip = (id: string): Rule => ({ ...exception, actionParameters: { rulesets: [id] } });
    const summary = update({ e: core(25), s: skip(ZONE) }, { e: core(60), s: skip(MANAGED) });
    for (const text of [renderText([summary]), markdown(summary).replace(/\\/g, "")]) {
      expect(text).toContain("threshold 25 → 60");
      expect(text).toContain(`also skips ruleset ${MANAGED} ("Cloudflare Managed Ruleset")`);
    }
  });

  test("show the names of managed rules from the preview after their IDs, and not as a note", () => {
    const [wordpress, name] = ["5de7edfa648c4d6891dc3e7f84534ffa", "Wordpress - Broken access control"];
    const acting = (action: string) =>
      inputs({ e: execute({ id: MANAGED, overrides: { rules: [{ id: wordpress, action }] } }) });
    const steps = [step("update", { before: acting("block"), after: acting("log") })];
    const summaryWith = (from: string) =>
      summaryOf(steps, [{ urn: from, severity: "info", message: `managed rules: ${wordpress} ("${name}")\n` }]);
    const own = summaryWith(urn("waf"));
    for (const text of [renderText([own]), markdown(own)]) {
      expect(text).toContain(`rule ${wordpress} ("${name}"): block → log`);
    }
    expect(own.resources[0]?.notes).toEqual([]);
    // Messages of other packages are not trusted.
    const foreign = summaryWith("urn:pulumi:prod::firewall::other:index:Thing::waf");
    expect(renderText([foreign])).toContain(`rule ${wordpress}: block → log`);
  });

  test("show a changed secret as a change, although both values look alike, that is not judged", () => {
    const secret = { ...admin, expression: "[secret]" };
    const summary = update(
      { admin: secret },
      { admin: secret },
      {
        detailedDiff: { 'rules["admin"].expression': { kind: "update" } },
        plan: { writes: [{ call: `PUT /zones/${ZONE}/rulesets/r1` }] },
      },
    );
    expect(ruleset(summary).rules).toMatchObject([
      { change: "changed", fields: [{ field: "expression", before: "[secret]", after: "[secret]" }] },
    ]);
    expect(ruleset(summary).effect).toMatchObject({
      weakens: "unknown",
      witnesses: [],
      notJudged: [{ what: 'rule "Block admin"', why: "a secret in it changes (expression)" }],
    });
    expect(ruleset(summary).writes).toEqual([{ call: `PUT /zones/${ZONE}/rulesets/r1` }]);
  });

  test("show a value that is not known before `up` as such, without its marker", () => {
    const summary = update({ admin }, { admin: { ...admin, expression: LATER } });
    expect(markdown(summary)).toContain("(not known before up)");
    expect(markdown(summary)).not.toContain("04da6b54");
    expect(ruleset(summary).effect).toMatchObject({
      weakens: "unknown",
      notJudged: [{ what: 'rule "Block admin"', why: "a value of it is not known before `pulumi up`" }],
    });
  });

  test("are reported as unknown when the whole list is unknown", () => {
    const pending = step("update", { before: inputs({ admin }), after: inputs(LATER) });
    expect(markdown(summaryOf([pending]))).toContain(
      "the rules of this ruleset, because they are not known before `pulumi up`",
    );
  });
});

describe("the effect on requests", () => {
  test("includes a request that now gets through", () => {
    const { effect } = ruleset(update({ admin, login }, { admin }));
    expect(effect?.verdict).toBe("looser");
    expect(effect?.witnesses).toEqual([expect.stringMatching(/\/login .*: blocked by "Block login" → allowed$/)]);
  });

  test("includes the managed ruleset that no longer sees a request", () => {
    const managed = { phase: "http_request_firewall_managed" };
    const before = inputs({ all: execute({ id: MANAGED }) }, managed);
    const summary = summaryOf([step("update", { before, after: inputs({}, managed) })]);
    expect(ruleset(summary).effect?.witnesses).toEqual([
      expect.stringMatching(`allowed as before, now without ${MANAGED} \\("Cloudflare Managed Ruleset"\\)$`),
    ]);
  });

  test("is none when only the formatting changes", () => {
    const { effect, rules } = ruleset(
      update({ admin }, { admin: { ...admin, expression: '(http.request.uri.path == "/admin")' } }),
    );
    expect(rules.map(({ change }) => change)).toEqual(["formatting"]);
    expect(effect?.verdict).toBe("equivalent");
  });
});

describe("the requests of the run", () => {
  const call = (summary: Summary): string[] =>
    summary.resources.flatMap(({ writes }) => writes.map(({ call: sent }) => sent));
  const root = `/zones/${ZONE}/rulesets`;
  test.each([
    [
      "an edit",
      "update",
      { before: inputs({ admin }), after: inputs({}), plan: { writes: [{ call: `PUT ${root}/r1` }] } },
      [`PUT ${root}/r1`],
    ],
    ["an entry point that is deleted", "delete", { before: inputs({ admin }) }, [`PUT ${root}/r1`]],
    [
      "one that is deleted completely",
      "delete",
      { before: inputs({ admin }, { onDelete: "delete" }) },
      [`DELETE ${root}/r1`],
    ],
    ["one that is kept", "delete", { before: inputs({ admin }, { onDelete: "keep" }) }, []],
    [
      "a custom ruleset that is deleted",
      "delete",
      { type: "Ruleset", before: inputs({ admin }, { kind: "custom", name: "Mine" }) },
      [`DELETE ${root}/r1`],
    ],
    [
      "a custom ruleset that is replaced",
      "replace",
      {
        type: "Ruleset",
        before: inputs({}, { kind: "custom", name: "A" }),
        after: inputs({}, { kind: "custom", name: "B" }),
        plan: { writes: [{ call: `POST ${root}` }] },
      },
      [`POST ${root}`, `DELETE ${root}/r1`],
    ],
    [
      "a ruleset that is replaced by itself",
      "replace",
      { before: inputs({ admin }), after: inputs({ admin }), plan: { ruleset: { id: "r1", changes: false } } },
      [],
    ],
    [
      "Total TLS whose authority is restored",
      "delete",
      { type: "TotalTlsCa", before: { zoneId: ZONE, certificateAuthority: "google", onDelete: "restore" } },
      [`POST /zones/${ZONE}/acm/total_tls`],
    ],
  ] as const)("%s", (_, op, options, calls) => {
    expect(call(summaryOf([step(op, options)]))).toEqual(calls);
  });

  test("include none for an argument that is only saved in the state", () => {
    const summary = summaryOf([
      step("update", { before: inputs({ admin }), after: inputs({ admin }, { onDelete: "keep" }) }),
    ]);
    expect(summary.resources).toEqual([]);
  });
});

describe("a list that rules of other resources use", () => {
  const list = (items: object) => ({ accountId: ZONE, name: "office", kind: "ip", items });
  const change = (op: string, before?: object, after?: object): Summary =>
    summaryOf([
      step(op, {
        type: "RulesList",
        ...(before === undefined ? {} : { before: list(before) }),
        ...(after === undefined ? {} : { after: list(after) }),
      }),
    ]);
  const one = { "192.0.2.7": "" };
  const two = { ...one, "192.0.2.8": "Berlin" };

  test.each([
    ["created", "create", undefined, one],
    ["with an item more", "update", one, two],
    ["with an item less", "update", two, one],
    ["deleted", "delete", one, undefined],
  ])("%s is not judged, and says so", (_what, op, before, after) => {
    const summary = change(op, before, after);
    expect(summary.weakens).toBe("unknown");
    for (const text of [renderText([summary]), markdown(summary)])
      expect(text).toMatch(/Not judged: list office, because the preview has not published the effect on requests/);
  });

  test("whose items stay is judged to do nothing", () => {
    const kept = { ...list(one), onDelete: "keep" };
    const summary = summaryOf([step("update", { type: "RulesList", before: list(one), after: kept })]);
    expect(summary.weakens).toBe("no");
  });

  describe("and a preview that shows them", () => {
    const using = { rule: { action: "block", expression: "ip.src in $office", description: "Attackers" } };
    const rules = (op: string, type = "PhaseEntrypoint") =>
      step(op, { before: inputs(using), ...(op === "delete" ? {} : { after: inputs(using) }), type, name: "rules" });
    const summaryWith = (before: object, after: object | undefined, more: object = {}, other = rules("same")) =>
      summaryOf([
        step(after === undefined ? "delete" : "update", {
          type: "RulesList",
          before: { ...list(before), ...more },
          ...(after === undefined ? {} : { after: { ...list(after), ...more } }),
        }),
        other,
      ]);

    const told = (effect: Omit<PublishedEffect, "lines" | "notJudged">, name = "rules") => {
      const text = listEffectText({ lists: ["office"], effect: { ...effect, lines: ["a request"], notJudged: [] } });
      return { urn: urn(name), severity: "info", message: text };
    };
    const edit = step("update", { type: "RulesList", before: list(one), after: list(two) });
    const looser = { verdict: "looser", weakens: "yes", looser: "shown", stricter: "ruledOut" } as const;
    const stricter = { verdict: "stricter", weakens: "no", looser: "ruledOut", stricter: "shown" } as const;

    test.each([["which it shows", [rules("same")]] as const, ["which it does not show", []] as const])(
      "is judged by what the preview published about rules %s",
      (_, others) => {
        const weaker = summaryOf([edit, ...others], [told(looser)]);
        expect(weaker.weakens).toBe("yes");
        expect(weaker.resources[0]?.effect).toMatchObject({
          verdict: "looser",
          witnesses: ["a request"],
          notJudged: [],
        });
        expect(weaker.resources.flatMap(({ notes }) => notes)).toEqual([]);
        expect(summaryOf([edit, ...others], [told(stricter)]).weakens).toBe("no");
      },
    );

    test("is not judged by rules about which the preview published nothing", () => {
      const nothing = summaryOf([edit, rules("same")]);
      const part = summaryOf([edit, rules("same")], [told(stricter, "other")]);
      expect([nothing.weakens, part.weakens]).toEqual(["unknown", "unknown"]);
      expect(renderText([nothing])).toContain(
        "Not judged: list office, because the preview has not published the effect on requests",
      );
      expect(renderText([part])).toContain('Not judged: rules of PhaseEntrypoint "rules" that use $office, because');
    });

    test("is judged by what the preview published if it has items of others, and otherwise not", () => {
      const shared = { ownership: "shared" };
      expect(summaryWith(one, two, shared).weakens).toBe("unknown");
      const both = { before: { ...list(one), ...shared }, after: { ...list(two), ...shared } };
      const summary = summaryOf([step("update", { type: "RulesList", ...both }), rules("same")], [told(stricter)]);
      expect(summary.weakens).toBe("no");
    });

    test("is named with the rules that still use it if it is deleted", () => {
      const note = "rules still use $office, so the service will refuse to delete it: rule";
      expect(summaryWith(one, undefined).resources[0]?.notes).toContain(note);
      expect(summaryWith(one, undefined, {}, rules("delete")).resources.flatMap(({ notes }) => notes)).not.toContain(
        note,
      );
    });

    test("decides what an edit of the rules does", () => {
      const listed = { rule: { ...using.rule, expression: "ip.src in {192.0.2.7}" } };
      const summary = summaryOf([
        step("same", { type: "RulesList", before: list(one), after: list(one) }),
        step("update", { before: inputs(using), after: inputs(listed), name: "rules" }),
      ]);
      expect(summary.weakens).toBe("no");
    });
  });

  test("says which items are added and removed, once, and counts the list", () => {
    const plan = { counts: "+1 ~0 -0, 1 unchanged" };
    const added = summaryOf([step("update", { type: "RulesList", before: list(one), after: list(two), plan })]);
    const removed = change("update", { ...two, "2001:db8::/64": "" }, one);
    expect(renderText([added])).toMatch(
      /^firewall\/prod: 1 list changed\. .*\n[^]*:\n {2}192\.0\.2\.8 added \("Berlin"\)\n/,
    );
    expect(renderText([removed])).toMatch(/\n {2}192\.0\.2\.8 removed \("Berlin"\)\n {2}2001:db8::\/64 removed\n/);
    for (const text of [renderText([added]), markdown(added)]) {
      expect(text.match(/192\.0\.2\.8/g)).toHaveLength(1);
      expect(text).not.toContain("not set");
    }
  });
});

describe("rules in a shared ruleset", () => {
  const root = `/zones/${ZONE}/rulesets`;
  const calls = (summary: Summary): string[] =>
    summary.resources.flatMap(({ writes }) => writes.map(({ call }) => call));
  const shared = (rules: Rules, more: object = {}) => inputs(rules, { ownership: "shared", ...more });
  const outputs = { ruleIds: { admin: "1", login: "2", old: "3" } };
  const three = { admin, login, old };

  test.each([
    ["deleted", {}, {}, ["1", "2", "3"]],
    ["kept", { onDelete: "keep" }, {}, []],
    ["deleted, except for a rule that was only adopted", {}, { __takenOver: ["login"] }, ["1", "3"]],
    ["only adopted", {}, { __takenOver: ["admin", "login", "old"] }, []],
  ])("when the resource is %s", (_, args, more, ids) => {
    const summary = summaryOf([step("delete", { before: shared(three, args), outputs: { ...outputs, ...more } })]);
    expect(calls(summary)).toEqual(ids.map((id) => `DELETE ${root}/r1/rules/${id}`));
  });

  const partners = (more: object = {}): object => ({
    ...{ zoneId: ZONE, phase: CUSTOM, ref: "p", ...block("Partners", "/p") },
    ...more,
  });
  const rule = (op: string, options: Partial<StepOptions>): Summary =>
    summaryOf([step(op, { type: "RulesetRule", name: "partners", outputs: { ruleId: "7" }, ...options })]);

  test.each([
    [
      "replaced",
      "replace",
      { before: partners(), after: partners({ ref: "q" }), plan: { writes: [{ call: `POST ${root}/r1/rules` }] } },
      [`POST ${root}/r1/rules`, `DELETE ${root}/r1/rules/7`],
    ],
    [
      "replaced by itself",
      "replace",
      { before: partners(), after: partners(), plan: { rules: { p: { id: "7", changes: false } } } },
      [],
    ],
    ["deleted", "delete", { before: partners() }, [`DELETE ${root}/r1/rules/7`]],
    ["kept", "delete", { before: partners({ onDelete: "keep" }) }, []],
    ["only adopted and deleted", "delete", { before: partners(), outputs: { ruleId: "7", __takenOver: ["p"] } }, []],
  ] as const)("a RulesetRule that is %s", (_, op, options, sent) => {
    expect(calls(rule(op, options))).toEqual(sent);
    if (op !== "replace") return;
    // With `--show-replacement-steps`, the engine shows three steps.
    const { before, after, plan } = options;
    const halves = [
      step("create-replacement", { type: "RulesetRule", name: "partners", outputs: { ruleId: "7" }, ...options }),
      step("replace", { type: "RulesetRule", name: "partners", before, after, plan }),
      step("delete-replaced", { type: "RulesetRule", name: "partners", before }),
    ];
    expect(calls(summaryOf(halves))).toEqual(sent);
  });

  describe("a rule that moves between resources", () => {
    const shared = (rules: Rules, more: object = {}): object => inputs(rules, { ownership: "shared", ...more });
    const list = (op: string, name: string, before?: Rules, after?: Rules, plan?: Partial<PreviewPlan>) =>
      step(op, {
        name,
        ...(plan === undefined ? {} : { plan }),
        ...(before === undefined ? {} : { before: shared(before) }),
        ...(after === undefined ? {} : { after: shared(after) }),
        outputs: { ruleIds: Object.fromEntries(Object.keys(before ?? {}).map((ref) => [ref, `id-${ref}`])) },
      });
    const takes = (id: string, changes = false): Partial<PreviewPlan> => ({ rules: { p: { id, changes } } });
    const single = (op: string, options: Partial<StepOptions>) =>
      step(op, { type: "RulesetRule", name: "partners", outputs: { ruleId: "id-p" }, ...options });
    const p = block("Partners", "/p");
    const rows = (summary: Summary) =>
      summary.resources.flatMap((one) =>
        one.kind === "ruleset" ? one.rules.map(({ change, ref }) => `${one.resource}: ${ref} ${change}`) : [],
      );
    const calls = (summary: Summary) =>
      summary.resources.flatMap(({ writes }) => writes.map(({ call }) => call)).sort();

    test("to a RulesetRule sends nothing, and is a note at both", () => {
      const summary = summaryOf([
        list("update", "one", { admin, p }, { admin }),
        single("create", { after: partners(), outputs: {}, plan: takes("id-p") }),
      ]);
      expect([rows(summary), calls(summary)]).toEqual([["one: admin unchanged", "partners: p unchanged"], []]);
      expect(summary.resources.map(({ notes }) => notes).sort()).toEqual([
        ['rule "p" moves here from PhaseEntrypoint "one"'],
        ['rule "p" moves to RulesetRule "partners"'],
      ]);
      expect(summary.counts).toMatchObject({ removed: 0, added: 0, weakened: 0 });
    });

    test("counts as what changes on its way", () => {
      const summary = summaryOf([
        single("delete", { before: partners() }),
        list("update", "one", { admin }, { p: { ...p, action: "log" }, admin }, takes("id-p", true)),
      ]);
      expect(rows(summary)).toEqual(["one: p weakened", "one: admin unchanged"]);
      expect(summary.resources).toHaveLength(2);
      for (const one of summary.resources) expect(one).toMatchObject({ effect: { notJudged: [] } });
    });

    test("with a resource that gets another name, whether it shares its ruleset or not", () => {
      const whole = { ruleset: { id: "r1", changes: false } };
      const each = { rules: { admin: { id: "1", changes: false }, p: { id: "2", changes: false } } };
      for (const ownership of ["shared", "exclusive"]) {
        const state = shared({ admin, p }, { ownership });
        const summary = summaryOf([
          step("create", { name: "new", after: state, plan: ownership === "exclusive" ? whole : each }),
          step("delete", { name: "old", before: state, outputs: { ruleIds: { admin: "1", p: "2" } } }),
        ]);
        expect(rows(summary)).toEqual(["new: admin unchanged", "new: p unchanged"]);
        expect(calls(summary)).toEqual([]);
        expect(renderText([summary])).not.toContain("removed");
      }
    });

    test.each([
      ["is not taken over, because it may be deleted first", p, {}],
      ["has a secret, which may change on its way", { ...p, description: "[secret]" }, takes("id-p")],
    ])("is removed and added if it %s", (_, given, plan) => {
      const summary = summaryOf([
        list("update", "one", { admin, p: given }, { admin }),
        single("create", { after: partners(given), outputs: {}, plan }),
      ]);
      expect(rows(summary).sort()).toEqual(["one: admin unchanged", "one: p removed", "partners: p added"]);
    });

    test("is not judged if it changes and no state in the preview has it", () => {
      const summary = summaryOf([single("create", { after: partners(), outputs: {}, plan: takes("id-p", true) })]);
      expect(ruleset(summary).effect?.notJudged).toMatchObject([{ what: "rules that exist already" }]);
      expect(summary.weakens).toBe("unknown");
    });
  });

  test("a RulesetRule is listed in its phase, and counts like any other rule", () => {
    const summary = rule("update", { before: partners(), after: partners({ action: "log" }) });
    expect(ruleset(summary)).toMatchObject({
      title: CUSTOM,
      phase: CUSTOM,
      rules: [{ change: "weakened", name: "Partners", weakens: "yes", reasons: [{ text: "block → log" }] }],
    });
    expect(ruleset(summary).effect?.witnesses).toEqual([expect.stringMatching(/blocked by "Partners" → allowed$/)]);
  });

  test.each([
    [{ before: "admin" }, 'from place 1 to before "admin"'],
    [{ after: "admin" }, 'from place 1 to after "admin"'],
    [{ before: "" }, "from place 1 to the top"],
    [{ after: "" }, "from place 1 to the end"],
    [{ index: 3 }, "from place 1 to place 3"],
    [{ before: LATER }, "from place 1 to before a rule that is not known before up"],
  ])("a moved rule is shown with its destination: %j", (position, words) => {
    const summary = rule("update", { before: partners({ position: { index: 1 } }), after: partners({ position }) });
    expect(renderText([summary])).toContain(`  moved "Partners" ${words}: block when`);
    expect(markdown(summary)).toContain(`| moved | Partners | ${markdownText(words)}; \`block\` when`);
    expect(summary.counts).toMatchObject({ moved: 1 });
  });

  test.each([
    [{ before: "admin" }, 'before "admin"'],
    [{ before: "" }, "at the top"],
    [{ index: 2 }, "at place 2"],
  ])("a new rule is shown with its position: %j", (position, words) => {
    const summary = rule("create", { after: partners({ position }) });
    expect(renderText([summary])).toContain(`added "Partners" ${words}: block when`);
  });

  test("removing a position is not a change", () => {
    const before = partners({ position: { before: "admin" } });
    expect(rule("update", { before, after: partners() }).resources).toEqual([]);
  });

  test("a changed secret in a RulesetRule is a change", () => {
    const hidden = partners({ expression: "[secret]" });
    const detailedDiff = { expression: { kind: "update" } };
    const summary = rule("update", { before: hidden, after: hidden, detailedDiff });
    expect(ruleset(summary).rules).toMatchObject([{ change: "changed", fields: [{ field: "expression" }] }]);
  });

  test("a rule of a custom ruleset shows that ruleset, and one with an unknown ref is pending", () => {
    const inside = partners({ phase: CUSTOM, rulesetId: "r9", __kind: "custom" });
    expect(ruleset(rule("create", { after: inside }))).toMatchObject({ title: "custom ruleset r9" });
    const unknown = partners({ ref: LATER });
    expect(ruleset(rule("create", { after: unknown }))).toMatchObject({ pending: true, rules: [] });
  });
});

describe("a preview without a plan", () => {
  const changes = { before: inputs({ admin }), after: inputs({ admin, login }), plan: "missing" } as const;
  test("is not judged, and says so", () => {
    const summary = summaryOf([step("update", changes)]);
    expect(summary.weakens).toBe("unknown");
    const text = renderText([summary]);
    expect(text).toContain("the preview has no plan for this resource");
    expect(text).toContain("Which writes `pulumi up` sends is not known");
    expect([text, renderText([{ ...summary, resources: [], errors: ["no"] }])].join()).not.toContain("sends no write");
  });

  test("is not judged where nothing else changes", () => {
    const summary = summaryOf([step("update", { ...changes, after: inputs({ admin }) })]);
    expect(summary.weakens).toBe("unknown");
  });

  test("needs none for an import, which writes nothing", () => {
    expect(summaryOf([step("import", { ...changes, before: changes.after })]).weakens).toBe("no");
  });
});

describe("a summary in Markdown", () => {
  test("is one line when nothing changes, and mentions changes of other packages", () => {
    expect(markdown(summaryOf([step("same", { before: inputs({ admin }), after: inputs({ admin }) })]))).toBe(
      "<!-- pulumi-rulesets summary: firewall/prod -->\n\nNo rulesets change in firewall/prod.",
    );
    const bucket = "urn:pulumi:prod::firewall::aws:s3/bucket:Bucket::logs";
    expect(markdown(summaryOf([{ op: "create", urn: bucket, newState: { inputs: {} } }]))).toMatch(
      /No rulesets change in firewall\/prod \(1 change to resources of other packages\)\.$/,
    );
  });

  test("drops whole rules that do not fit, unchanged ones first, and keeps the counts", () => {
    const many = Object.fromEntries(
      Array.from({ length: 200 }, (_, index) => [
        `r${String(index)}`,
        block(`Rule number ${String(index)}`, `/${String(index)}`),
      ]),
    );
    const { r0: _gone, ...rest } = many;
    const summary = update(many, { ...rest, r1: { ...many.r1, action: "log" }, fresh: block("Fresh", "/fresh") });
    const whole = markdown(summary);
    expect(whole).toContain("- Rule number 199");
    for (const budget of [4000, 2500, 1500]) {
      const text = markdown(summary, budget);
      expect(text.length).toBeLessThanOrEqual(budget);
      expect(text).toContain("1 removed, 1 weakened, 1 added, 198 unchanged");
      expect(text).toContain("| **removed** | Rule number 0 |");
      expect(text).toContain("| **weakened** | Rule number 1 |");
      // Every line that remains is complete.
      for (const line of text.split("\n").filter((one) => one.startsWith("- Rule")))
        expect(whole).toContain(`${line}\n`);
    }
    expect(markdown(summary, 2500)).toMatch(/… and \d+ more/);
  });

  test("keeps the counts when no table fits", () => {
    const rules = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `r${String(index)}`,
        block(`Rule ${String(index)}`, `/${String(index)}`),
      ]),
    );
    const steps = Array.from({ length: 60 }, (_, index) =>
      step("delete", {
        name: `waf-${String(index)}`,
        before: inputs(rules, { zoneId: `${ZONE.slice(0, -2)}${String(index + 10)}` }),
      }),
    );
    const text = markdown(summaryOf(steps), 1000);
    expect(text.length).toBeLessThanOrEqual(1000);
    expect(text).toContain("2400 removed");
  });

  test("keeps any rule name in its cell, without mentions and links", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        for (const shown of [markdownText(text), code(text)]) {
          expect(shown).not.toMatch(/[\r\n]/);
          expect(shown.replace(/\\[\s\S]/g, "")).not.toContain("|");
        }
        expect(markdownText(text)).not.toMatch(/[@<>]|:\/\//);
      }),
    );
    expect(markdownText("@team <b>#12</b> a|b *c* https://example.com")).toBe(
      "&#64;team &lt;b&gt;&#35;12&lt;/b&gt; a\\|b \\*c\\* https&#58;//example.com",
    );
    expect(code("a`b``c")).toBe("``` a`b``c ```");
  });

  test("shows warnings of the preview at their ruleset, and errors at the top", () => {
    const summary = summaryOf(
      [step("update", { before: inputs({ admin }), after: inputs({}), plan: { counts: "+0 ~0 -1, 0 unchanged" } })],
      [
        { urn: urn("waf"), severity: "warning", message: "warning: this change removes every rule (1)\n" },
        { urn: urn("other"), severity: "error", message: "error: rules[0].action: is required" },
      ],
    );
    const text = markdown(summary);
    expect(renderText([summary])).toContain("\n  this change removes every rule (1)");
    expect(text).toContain("> this change removes every rule (1)");
    expect(text).not.toContain("+0 ~0");
    expect(text).toMatch(/the preview failed\n\n```text\nrules\[0\]\.action: is required\n```/);
  });

  test("leaves out what repeats the table, and nothing else that counts rules", () => {
    const rules = (...refs: string[]) =>
      keyedEntries(refs.map((ref) => ({ ref, rule: { action: "block", expression: ref } })));
    const difference = diffRules(rules("ssl", "true"), rules("ssl"));
    const removes = removalWarning(difference, 1) ?? "";
    const messages = [
      ["info", effectText("stops requests that were not stopped", ["GET /admin"])],
      ["info", `description: ${summaryLine(difference)}`],
      ["warning", removes],
    ] as const;
    const [waf] = summaryOf(
      [step("update", { before: inputs({ admin, login }), after: inputs({ admin }) })],
      messages.map(([severity, message]) => ({ urn: urn("waf"), severity, message: `${severity}: ${message}` })),
    ).resources;
    expect(waf?.notes).toEqual([`description: ${summaryLine(difference)}`, removes]);
  });
});

describe("the summarize command", () => {
  const preview = previewOf([step("update", { before: inputs({ admin, login }), after: inputs({ admin }) })]);
  test.each([
    [["--markdown"], 0],
    [["--fail-on", "removed"], 2],
    [["--fail-on", "weakened"], 2],
    [["--fail-on", "never"], 0],
  ] as const)("%j exits with %d", async (options, exitCode) => {
    const done = await cli(["summarize", ...options, "preview.json"], {}, folder({ "preview.json": preview }));
    expect([done.code, done.stderr]).toEqual([exitCode, ""]);
    expect(done.stdout).toContain("Block login");
  });

  const add = { before: inputs({ admin }), after: inputs({ admin, login }) };
  const fails = async (text: string, ...options: readonly string[]): Promise<readonly unknown[]> => {
    const done = await cli(["summarize", ...options, "preview.json"], {}, folder({ "preview.json": text }));
    return [done.code, done.stderr];
  };

  test("--fail-on drift has no answer for a preview that read nothing again", async () => {
    const note = expect.stringContaining("To continue: pulumi preview --refresh --json") as unknown;
    expect(await fails(previewOf([step("update", add)]), "--fail-on", "drift")).toEqual([3, note]);
    const hidden = JSON.stringify({ steps: [], diagnostics: [], changeSummary: { same: 4 } });
    expect(await fails(hidden, "--fail-on", "drift")).toEqual([3, note]);
    expect(await fails(hidden, "--fail-on", "never")).toEqual([0, ""]);
    const stackAlone = { op: "refresh", urn: "urn:pulumi:prod::firewall::pulumi:pulumi:Stack::firewall-prod" };
    const skipped = JSON.stringify({ steps: [stackAlone], diagnostics: [], changeSummary: { same: 3 } });
    expect(await fails(skipped, "--fail-on", "drift")).toEqual([3, note]);
    const first = previewOf([step("create", { after: inputs({ admin }) })]);
    expect(await fails(first, "--fail-on", "drift")).toEqual([0, ""]);
    const read = step("refresh", { before: inputs({ admin }), after: inputs({ admin }) });
    const stack = { op: "same", urn: "urn:pulumi:prod::firewall::pulumi:pulumi:Stack::firewall-prod" };
    expect(await fails(previewOf([read, stack, step("update", add)]), "--fail-on", "drift")).toEqual([0, ""]);
  });

  test.each<[string, object, number]>([
    ["are known", step("update", add), 0],
    ["changed by others are undone", step("update", { ...add, plan: { unseen: ["changes by others"] } }), 2],
    ["could not be asked for", step("update", { ...add, plan: { unseen: [{ notRead: "the ruleset" }] } }), 2],
    ["are in no plan", step("update", { ...add, plan: "missing" }), 2],
    ["are taken over", step("create", { after: inputs({ admin }), plan: { ruleset: { id: "r2", changes: true } } }), 2],
    [
      "are taken over as they are",
      step("create", { after: inputs({ admin }), plan: { ruleset: { id: "r2", changes: false } } }),
      0,
    ],
    [
      "may exist already",
      step("create", {
        after: inputs({ admin }, { onExisting: "replace" }),
        plan: { writes: [{ call: "POST /zones/z/rulesets", unless: "a ruleset with the same rules already exists" }] },
      }),
      2,
    ],
    [
      "do not exist yet",
      step("create", {
        after: inputs({ admin }, { onExisting: "replace" }),
        plan: { writes: [{ call: "POST /zones/z/rulesets" }] },
      }),
      0,
    ],
    ["are not known yet", step("update", { before: inputs({ admin }), after: inputs(LATER) }), 2],
  ])("--fail-on removed passes only if it is known which rules go: those that %s", async (_, one, code) => {
    expect(await fails(previewOf([one]), "--fail-on", "removed")).toEqual([code, ""]);
    expect(await fails(previewOf([one]), "--fail-on", "removed", "--allow-unknown")).toEqual([0, ""]);
  });

  test.each([[], ["--markdown"]])(
    "names a zone that the program declares, without a request: %j",
    async (...options) => {
      const name = "shop.example.com";
      const state = { id: ZONE, inputs: { name }, outputs: { name } };
      const zone = { op: "same", urn: "urn:pulumi:prod::firewall::cloudflare:index/zone:Zone::shop", oldState: state };
      const files = { "a.json": previewOf([step("update", add), zone]) };
      const done = await cli(["summarize", ...options, "a.json"], {}, folder(files));
      expect(done.stdout).toContain(" of shop.example.com");
    },
  );

  test("combines several stacks in one comment", async () => {
    const files = { "a.json": preview, "b.json": previewOf([]) };
    const done = await cli(["summarize", "--markdown", "a.json", "b.json"], {}, folder(files));
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(/^<!-- pulumi-rulesets summary: firewall\/prod, {2}-->/);
    expect(done.stdout).toContain("No rulesets change.");
  });

  test("prints the same as JSON, and exits with 3 for a failed preview", async () => {
    const failed = previewOf([], [{ severity: "error", message: "error: no credentials" }]);
    const done = await cli(["summarize", "--json", "a.json"], {}, folder({ "a.json": failed }));
    expect(done.code).toBe(3);
    expect(JSON.parse(done.stdout)).toMatchObject({ previews: [{ errors: ["no credentials"] }] });
  });

  test.each([
    ["", "is empty"],
    ["Previewing update (dev):", "is not JSON"],
    ['{"sequence":1}\n{"sequence":2}', "a stream of events"],
    ["[]", "is not the output of `pulumi preview --json`"],
    ["{}", "is not the output of `pulumi preview --json`"],
    [JSON.stringify({ steps: { 0: {} }, diagnostics: [] }), "its steps are not a list"],
    [JSON.stringify({ steps: [null] }), "step 1 is not an object"],
    [JSON.stringify({ steps: [{ op: "update", urn: "waf" }] }), "step 1 has no URN of a resource"],
    [JSON.stringify({ steps: [{ urn: urn("waf") }] }), "step 1 has an unknown operation: none"],
    [JSON.stringify({ steps: [{ op: "toString", urn: urn("waf") }] }), 'unknown operation: "toString"'],
    [JSON.stringify({ steps: [{ op: "update", urn: urn("waf"), oldState: {} }] }), "::waf has no newState"],
    [JSON.stringify({ steps: [{ op: "delete", urn: urn("waf"), oldState: "x" }] }), "oldState that is not an object"],
    [JSON.stringify({ steps: [], diagnostics: "error" }), "its diagnostics are not a list"],
    [JSON.stringify({ diagnostics: ["error"] }), "diagnostic 1 is not an object"],
    [JSON.stringify({ diagnostics: [{ severity: "fatal", message: "x" }] }), 'unknown severity: "fatal"'],
    [JSON.stringify({ diagnostics: [{ severity: "error", message: 7 }] }), "diagnostic 1 has a message that is not"],
    [
      previewOf([step("create", { after: inputs({ admin }) })]).replace(
        '"block"',
        `${'{"a":'.repeat(2e4)}1${"}".repeat(2e4)}`,
      ),
      "nested too deeply",
    ],
    [`{"steps":[${"[".repeat(1e5)}${"]".repeat(1e5)}]}`, "step 1 is not an object"],
  ])("refuses %j, and says why", async (text, message) => {
    const done = await cli(["summarize", "a.json"], {}, folder({ "a.json": text }));
    expect(done.code).toBe(1);
    expect(done.stderr).toContain(message);
  });

  test.each<[string, object, string]>([
    ["ended early", { steps: [], diagnostics: [] }, "it ended before it counted the changes"],
    [
      "lacks a step",
      { steps: [], changeSummary: { update: 1, same: 1 } },
      "it counts 1 resource to update, and shows 0",
    ],
  ])("a preview that %s has failed", async (_, shown, message) => {
    const done = await cli(["summarize", "a.json"], {}, folder({ "a.json": shown }));
    expect([done.code, done.stdout]).toEqual([3, expect.stringContaining(message)]);
  });

  test.each(["removed", "weakened"])(
    "--fail-on %s judges names with colons, and fails for unknown kinds",
    async (failOn) => {
      const emptied = (more: StepOptions) => step("update", { before: inputs({ admin }), after: inputs({}), ...more });
      const text = previewOf([emptied({ name: "shop::waf$1" }), emptied({ type: "PhaseNew" })]);
      const done = await cli(["summarize", "--fail-on", failOn, "a.json"], {}, folder({ "a.json": text }));
      expect(done).toMatchObject({
        code: 2,
        stdout: expect.stringContaining("(shop::waf$1) will be updated") as unknown,
      });
      expect(done.stdout).toContain("does not know the kind PhaseNew");
    },
  );

  test("waits for a preview that starts later than itself", () => {
    const twice = '{ "$0" "$1" summarize /; "$0" "$1" summarize /; } 2>/dev/null';
    const piped = ["-c", `(${twice}; printf %s "$2") | "$0" "$1" summarize`, process.execPath, main, preview];
    expect(execFileSync("sh", piped, { encoding: "utf8" })).toContain("Block login");
  });

  test.each([
    [["--json", "--markdown"], "are mutually exclusive"],
    [["--fail-on", "all"], "Allowed choices are never, removed, weakened"],
  ])("refuses %j", async (options, message) => {
    const done = await cli(["summarize", ...options, "a.json"], {}, folder({ "a.json": preview }));
    expect(done.code).toBe(1);
    expect(done.stderr).toContain(message);
  });
});

describe("the pipelines of the templates, to which the documentation links", () => {
  const templates = join(root, "examples", "templates");
  const pipelines = [
    ["GitHub Actions", "github/.github/workflows/firewall.yml"],
    ["GitLab CI", "gitlab/.gitlab-ci.yml"],
  ].map(([name = "", path = ""]) => [name, readFileSync(join(templates, "pipelines", path), "utf8")] as const);
  const invariants = readFileSync(join(templates, "shared", "zones.invariants.yaml"), "utf8");

  test.each(pipelines)("are valid YAML for %s, and use existing options", async (_, text) => {
    expect(parseDocument(text).errors).toEqual([]);
    const [call = ""] = /pulumi-rulesets summarize .*preview\.json/.exec(text) ?? [];
    const options = call
      .split(" ")
      .slice(1, -1)
      .filter((word) => word !== "--zone-names");
    const files = { "preview.json": previewOf([]), "zones.invariants.yaml": invariants };
    const done = await cli([...options, "preview.json"], {}, folder(files));
    expect([done.code, done.stderr]).toEqual([0, ""]);
  });
});

describe("a rule that arrives in steps", () => {
  const rule = { ref: "no-xmlrpc", action: "block", expression: 'http.request.uri.path eq "/xmlrpc.php"' } as const;
  const stages = {
    log: { ...rule, action: "log" },
    "5 %": split(rule, 5),
    "25 %": split(rule, 25),
    full: rule,
  };
  const order = Object.keys(stages) as (keyof typeof stages)[];
  const between = (before: keyof typeof stages, after: keyof typeof stages): Summary =>
    summaryOf([
      step("update", {
        before: inputs({ "no-xmlrpc": stages[before] }),
        after: inputs({ "no-xmlrpc": stages[after] }),
      }),
    ]);
  const steps = order
    .slice(1)
    .map((after, index) => [order[index], after] as [keyof typeof stages, keyof typeof stages]);

  test.each(steps)("is not called weaker from %s to %s, and called weaker back", (earlier, later) => {
    const forward = between(earlier, later);
    expect(forward).toMatchObject({ weakens: "no", counts: { changed: 1, weakened: 0, removed: 0, added: 0 } });
    expect(renderText([forward])).toContain("Stops requests that were not stopped. Stricter only (proved).");
    const back = between(later, earlier);
    expect(back).toMatchObject({ weakens: "yes", counts: { changed: 0, weakened: 1, removed: 0, added: 0 } });
    expect(renderText([back])).not.toContain("Stops requests that were not stopped");
  });

  test.each(order)("is the same rule in the stage %s as before", (stage) => {
    expect(between(stage, stage)).toMatchObject({ weakens: "no", counts: { changed: 0, weakened: 0 } });
  });
});
