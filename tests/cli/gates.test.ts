import { join } from "node:path";
import { weakensOf, type Weakens } from "../../analysis/index.js";
import { compareWithBaseline } from "../../audit/compare.js";
import { exitCodeOf } from "../../audit/exit-code.js";
import { REPORT_VERSION, type Report, type RuleLine } from "../../audit/report.js";
import { runDiff } from "../../cli/rules/diff/command.js";
import { runSummarize } from "../../cli/summarize/command.js";
import { compareEffects } from "../../cli/versions/effect.js";
import type { JsonObject } from "../../provider/model/json.js";
import { describeEffect } from "../../provider/validation/index.js";
import { folder } from "./support.js";

/* Every gate gives the same answer to the same edit: one row for each kind of edit, one test for each gate. */

const FIREWALL = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const MANAGED = "http_request_firewall_managed";
const CORE = "4814384a9e5d4991b9815dcfc25d2f1f";

type Rule = JsonObject & Readonly<Record<"ref" | "action" | "description" | "expression", string>>;
const block = (ref: string, expression: string, more: JsonObject = {}): Rule => ({
  ...{ ref, action: "block", description: `Rule ${ref}`, expression },
  ...more,
});
const admin = block("admin", 'starts_with(http.request.uri.path, "/admin")');
const login = block("login", 'http.request.uri.path eq "/login"');
const skip = (actionParameters: JsonObject, expression = "ip.src in {192.0.2.0/24}"): Rule =>
  block("office", expression, { action: "skip", actionParameters });
const limit = (more: JsonObject = {}): Rule =>
  block("limit", 'http.request.uri.path eq "/login"', {
    ratelimit: {
      characteristics: ["cf.colo.id", "ip.src"],
      period: 60,
      requestsPerPeriod: 10,
      mitigationTimeout: 600,
      ...more,
    },
  });
const core = (overrides: JsonObject): Rule =>
  block("core", "true", { action: "execute", actionParameters: { id: CORE, overrides } });
const level = (name: string): JsonObject => ({ category: name, enabled: false });

interface Edit {
  readonly weakens: Weakens;
  readonly before: readonly Rule[];
  readonly after: readonly Rule[];
  readonly phase?: string;
}

const edits: Readonly<Record<string, Edit>> = {
  "another path": {
    weakens: "yes",
    before: [admin],
    after: [{ ...admin, expression: 'http.request.uri.path eq "/other"' }],
  },
  "one narrowed, another added": { weakens: "yes", before: [admin], after: [{ ...admin, expression: "ssl" }, login] },
  "a skip of more": {
    weakens: "yes",
    before: [skip({ products: ["bic"] })],
    after: [skip({ products: ["bic"], phases: [MANAGED, LIMITS] })],
  },
  "a skip of another phase instead": {
    weakens: "yes",
    before: [skip({ phases: [MANAGED] })],
    after: [skip({ phases: [LIMITS] })],
  },
  "a skip above a block": { weakens: "yes", before: [admin], after: [skip({ ruleset: "current" }), admin] },
  "a skip that moves above a block": {
    weakens: "yes",
    before: [admin, skip({ ruleset: "current" })],
    after: [skip({ ruleset: "current" }), admin],
  },
  "a narrowed skip": {
    weakens: "no",
    before: [skip({ products: ["bic"] })],
    after: [skip({ products: ["bic"] }, "ip.src eq 192.0.2.1")],
  },
  "a reformatted skip": {
    weakens: "no",
    before: [skip({ products: ["bic"] })],
    after: [skip({ products: ["bic"] }, "(ip.src in {192.0.2.0/24})")],
  },
  "a higher limit": { weakens: "yes", phase: LIMITS, before: [limit()], after: [limit({ requestsPerPeriod: 10_000 })] },
  "a lower limit": { weakens: "no", phase: LIMITS, before: [limit()], after: [limit({ requestsPerPeriod: 5 })] },
  "a shorter period": { weakens: "yes", phase: LIMITS, before: [limit()], after: [limit({ period: 10 })] },
  "a shorter timeout": { weakens: "yes", phase: LIMITS, before: [limit()], after: [limit({ mitigationTimeout: 60 })] },
  "a challenge before a block": {
    weakens: "yes",
    before: [admin, block("all", "true", { action: "managed_challenge" })],
    after: [block("all", "true", { action: "managed_challenge" }), admin],
  },
  "a block that closes the connection": {
    weakens: "no",
    before: [admin],
    after: [{ ...admin, action: "force_connection_close" }],
  },
  "a block that logs": { weakens: "yes", before: [admin], after: [{ ...admin, action: "log" }] },
  "a disabled block": { weakens: "yes", before: [admin], after: [{ ...admin, enabled: false }] },
  "a block less": { weakens: "yes", before: [admin, login], after: [admin] },
  "two rules merged": {
    weakens: "no",
    before: [admin, login],
    after: [{ ...admin, expression: `${admin.expression} or ${login.expression}` }],
  },
  "a log rule less": { weakens: "no", before: [block("log", "true", { action: "log" }), admin], after: [admin] },
  "a lower paranoia level": {
    weakens: "yes",
    phase: MANAGED,
    before: [core({ categories: [level("paranoia-level-4")] })],
    after: [core({ categories: [level("paranoia-level-3"), level("paranoia-level-4")] })],
  },
  "a threshold below the default": {
    weakens: "no",
    phase: MANAGED,
    before: [core({})],
    after: [core({ rules: [{ id: "6179ae15870a4bb7b2d480d4843b323c", scoreThreshold: 25 }] })],
  },
  "another value of a raw field": {
    weakens: "unknown",
    before: [{ ...admin, wire: { strength: 1 } }],
    after: [{ ...admin, wire: { strength: 2 } }],
  },
  "a narrowed block with a raw field": {
    weakens: "yes",
    before: [{ ...admin, wire: { strength: 1 } }],
    after: [{ ...admin, wire: { strength: 1 }, expression: "ssl" }],
  },
  "a condition on what is not public": {
    weakens: "unknown",
    before: [block("random", "hash_in_range(0, 100, cf.random_seed) lt 20")],
    after: [block("random", "hash_in_range(0, 100, cf.random_seed) lt 10")],
  },
};

type Codes = readonly [strict: number, allowUnknown: number];
const CODES: Readonly<Record<Weakens, Codes>> = { no: [0, 0], yes: [2, 2], unknown: [2, 0] };

const ignore = (): void => undefined;
const connect = (): never => {
  throw new Error("no gate asks the service here");
};
const both = async (run: (allowUnknown: boolean) => number | Promise<number>): Promise<Codes> => [
  await run(false),
  await run(true),
];

async function ofRulesDiff({ before, after, phase = FIREWALL }: Edit): Promise<Codes> {
  const file = (rules: readonly Rule[]): JsonObject => ({ kind: "zone", phase, rules });
  const path = folder({ "before.json": file(before), "after.json": file(after) });
  const paths = [join(path, "before.json"), join(path, "after.json")];
  return both((allowUnknown) => runDiff(paths, { looser: false, allowUnknown }, { connect, print: ignore }));
}

function previewOf({ before, after, phase = FIREWALL }: Edit): string {
  const inputs = (rules: readonly Rule[]): JsonObject => ({
    ...{ phase, zoneId: "1".repeat(32) },
    rules: Object.fromEntries(rules.map(({ ref, ...rule }) => [ref, rule])),
    order: rules.map(({ ref }) => `${ref}\n`).join(""),
  });
  const step = {
    ...{ op: "update", urn: "urn:pulumi:prod::firewall::pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint::waf" },
    oldState: { inputs: inputs(before), outputs: { rulesetId: "r1" } },
    newState: { inputs: inputs(after) },
    detailedDiff: { rules: { kind: "update" } },
  };
  return JSON.stringify({ steps: [step], diagnostics: [] });
}

async function ofSummarize(edit: Edit): Promise<Codes> {
  const path = join(folder({ "preview.json": previewOf(edit) }), "preview.json");
  const context = { print: ignore, printNote: ignore, connect };
  return both((allowUnknown) => runSummarize([path], { budget: "60000", failOn: "weakened", allowUnknown }, context));
}

function reportOf(rules: readonly Rule[], version: string, phase: string): Report {
  const lines = rules.map(({ ref, enabled, description, ...rule }) => ({
    ...{ ref, description, enabled: enabled !== false, version },
    ...rule,
  })) as readonly RuleLine[];
  const ruleset = { id: "r1", name: "default", kind: "zone", phase, version, managed: [], rules: lines };
  const zone = {
    ...{ zoneId: "z1", zoneName: "shop.example.com", accountId: "a1", plan: "enterprise", coverage: [], unread: [] },
    rulesets: [ruleset],
  };
  const shared = { createdAt: "2026-11-24T00:00:00Z", phases: [], accounts: [], findings: [] };
  return { ...shared, version: REPORT_VERSION, notes: [], zones: [zone] };
}

function ofReport({ before, after, phase = FIREWALL }: Edit): Promise<Codes> {
  const compared = compareWithBaseline(reportOf(after, "2", phase), reportOf(before, "1", phase));
  return both((allowUnknown) => exitCodeOf(compared, { failOn: "low", allowUnknown }));
}

function ofVersions({ before, after, phase = FIREWALL }: Edit): Weakens {
  const version = (rules: readonly Rule[]) => ({
    ...{ id: "r1", name: "default", kind: "zone", phase, version: "1", description: "" },
    rules: rules.map((rule) => ({ ...rule, id: rule.ref, ref: rule.ref, version: "1" })),
  });
  return weakensOf(compareEffects(version(before), version(after)));
}

/** What the line of a preview on an edit says. */
function ofPreview({ before, after, phase = FIREWALL }: Edit): Weakens {
  const parts = (rules: readonly Rule[]) => rules.map((rule) => ({ rule }));
  const said = describeEffect({ phase, kind: "zone", isPart: false, before: parts(before), after: parts(after) }) ?? "";
  if (/lets requests through|less firmly than before|(?<!no longer )exempts requests|stop less/.test(said))
    return "yes";
  return said.includes("not judged") ? "unknown" : "no";
}

describe.each(Object.entries(edits))("%s", (_, edit) => {
  const codes = CODES[edit.weakens];
  test("rules diff --no-looser", async () => {
    expect(await ofRulesDiff(edit)).toEqual(codes);
  });
  test("summarize --fail-on weakened", async () => {
    expect(await ofSummarize(edit)).toEqual(codes);
  });
  test("report --baseline", async () => {
    expect(await ofReport(edit)).toEqual(codes);
  });
  test("versions diff", () => {
    expect(ofVersions(edit)).toBe(edit.weakens);
  });
  test("the line of a preview", () => {
    expect(ofPreview(edit)).toBe(edit.weakens);
  });
});
