import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { runSummarize } from "../../cli/summarize/command.js";
import type { Client } from "../../provider/client/index.js";
import type { JsonObject } from "../../provider/model/json.js";
import { unpacedClientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";
import { folder } from "./support.js";

/*
 * The comments that reviewers get for edits, as files to read. To write them again after a change: WRITE_COMMENTS=1, and read
 * every difference.
 */

const FIREWALL = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const MANAGED = "http_request_firewall_managed";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";
const SCORING = "6179ae15870a4bb7b2d480d4843b323c";
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

type Rules = Readonly<Record<string, JsonObject>>;

const block = (description: string, expression: string, more: JsonObject = {}): JsonObject => ({
  action: "block",
  description,
  expression,
  ...more,
});
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const LOGIN = 'http.request.uri.path eq "/login"';
const admin = block("Block admin", ADMIN);
const login = block("Block login", LOGIN);
const partner = block("Partner key", "[secret]");
const everybody: JsonObject = { action: "managed_challenge", description: "Challenge everybody", expression: "true" };
const office = (actionParameters: JsonObject, expression = "ip.src in {192.0.2.0/24}"): JsonObject => ({
  ...{ action: "skip", description: "The office", expression },
  actionParameters,
});
const limit = (more: JsonObject = {}): JsonObject => ({
  ...block("Login limit", 'http.request.uri.path eq "/login"'),
  ratelimit: {
    ...{ characteristics: ["cf.colo.id", "ip.src"], period: 60, requestsPerPeriod: 10, mitigationTimeout: 600 },
    ...more,
  },
});
const owasp = (level: number, scoreThreshold?: number): JsonObject => ({
  action: "execute",
  expression: "true",
  actionParameters: {
    id: OWASP,
    overrides: {
      categories: [2, 3, 4]
        .filter((above) => above > level)
        .map((above) => ({ category: `paranoia-level-${String(above)}`, enabled: false })),
      ...(scoreThreshold === undefined ? {} : { rules: [{ id: SCORING, action: "block", scoreThreshold }] }),
    },
  },
});
const addresses = (...more: string[]): JsonObject =>
  block(
    "Bad addresses",
    `ip.src in {${[...Array.from({ length: 30 }, (_, index) => `198.51.100.${String(index)}`), ...more].join(" ")}}`,
  );

/** An edit, and whether `--fail-on weakened` lets it pass, also with `--allow-unknown`. */
interface Edit {
  readonly before?: Rules;
  readonly after?: Rules | string;
  readonly phase?: string;
  readonly gate: "passes" | "passes if unknown is allowed" | "fails";
  readonly type?: "PhaseEntrypoint" | "RulesetRule";
  readonly inputs?: JsonObject;
  readonly position?: readonly [JsonObject, JsonObject];
  readonly paths?: readonly string[];
  readonly says?: { readonly severity: string; readonly message: string };
}

const edits: Readonly<Record<string, Edit>> = {
  "a rule loosened beside one with a secret": {
    before: { partner, admin },
    after: { partner, admin: { ...admin, expression: 'http.host eq "nowhere.example.com"' } },
    gate: "fails",
  },
  "a changed secret": {
    before: { partner, admin },
    after: { partner, admin },
    paths: ["rules.partner.expression"],
    gate: "passes if unknown is allowed",
  },
  "another path is blocked instead": {
    before: { admin: block("Block admin", 'http.request.uri.path eq "/admin"') },
    after: { admin: block("Block admin", 'http.request.uri.path eq "/other"') },
    gate: "fails",
  },
  "one block narrowed and another added": {
    before: { admin },
    after: { admin: { ...admin, expression: 'http.request.uri.path eq "/admin"' }, login },
    gate: "fails",
  },
  "a skip rule that skips more": {
    before: { office: office({ products: ["bic"] }), admin },
    after: { office: office({ products: ["bic"], phases: [MANAGED, LIMITS] }), admin },
    gate: "fails",
  },
  "a skip rule above a block": {
    before: { admin },
    after: { office: office({ ruleset: "current" }), admin },
    gate: "fails",
  },
  "a skip rule that moves above a block": {
    before: { login, admin, office: office({ ruleset: "current" }) },
    after: { office: office({ ruleset: "current" }), login, admin },
    gate: "fails",
  },
  "a limit of 10,000 instead of 10": {
    phase: LIMITS,
    before: { limit: limit() },
    after: { limit: limit({ requestsPerPeriod: 10_000 }) },
    gate: "fails",
  },
  "a period of 10 seconds instead of 60": {
    phase: LIMITS,
    before: { limit: limit() },
    after: { limit: limit({ period: 10 }) },
    gate: "fails",
  },
  "a timeout of 60 seconds instead of 600": {
    phase: LIMITS,
    before: { limit: limit() },
    after: { limit: limit({ mitigationTimeout: 60 }) },
    gate: "fails",
  },
  "a limit of 5 instead of 10": {
    phase: LIMITS,
    before: { limit: limit() },
    after: { limit: limit({ requestsPerPeriod: 5 }) },
    gate: "passes",
  },
  "a challenge that moves before a block": {
    before: { admin, everybody },
    after: { everybody, admin },
    gate: "fails",
  },
  "a connection that is closed instead of a block": {
    before: { admin },
    after: { admin: { ...admin, action: "force_connection_close" } },
    gate: "passes",
  },
  "a block that only logs": { before: { admin }, after: { admin: { ...admin, action: "log" } }, gate: "fails" },
  "a disabled block": { before: { admin }, after: { admin: { ...admin, enabled: false } }, gate: "fails" },
  "a threshold of 25 where the default is 40": {
    phase: MANAGED,
    before: { owasp: owasp(2) },
    after: { owasp: owasp(2, 25) },
    gate: "passes",
  },
  "a lower paranoia level and a higher threshold": {
    phase: MANAGED,
    before: { owasp: owasp(2, 25) },
    after: { owasp: owasp(1, 60) },
    gate: "fails",
  },
  "a skip rule in another notation": {
    before: { office: office({ products: ["bic"] }) },
    after: { office: office({ products: ["bic"] }, "(ip.src in {192.0.2.0/24})") },
    gate: "passes",
  },
  "a skip rule for fewer requests": {
    before: { office: office({ products: ["bic"] }) },
    after: { office: office({ products: ["bic"] }, "ip.src eq 192.0.2.1") },
    gate: "passes",
  },
  "two rules merged into one": {
    before: { admin, login },
    after: { admin: { ...admin, expression: `${ADMIN} or ${LOGIN}` } },
    gate: "passes",
  },
  "a log rule less": {
    before: { watch: { action: "log", description: "Watch", expression: "true" }, admin },
    after: { admin },
    gate: "passes",
  },
  "two addresses more in a long list": {
    before: { bad: addresses() },
    after: { bad: addresses("203.0.113.7", "203.0.113.8") },
    gate: "passes",
  },
  "a value that is not known before up": {
    before: { admin, login },
    after: { admin: { ...admin, expression: UNKNOWN }, login },
    gate: "passes if unknown is allowed",
  },
  "rules that are not known before up": { before: { admin }, after: UNKNOWN, gate: "passes if unknown is allowed" },
  "a block less in a shared list": {
    before: { admin, login },
    after: { admin },
    inputs: { ownership: "shared" },
    gate: "fails",
  },
  "a challenge more in a shared list": {
    before: {},
    after: { checkout: { ...everybody, description: "Checkout", expression: 'http.host eq "pay.example.com"' } },
    inputs: { ownership: "shared" },
    gate: "passes if unknown is allowed",
  },
  "a single rule that moves": {
    type: "RulesetRule",
    before: { login },
    after: { login },
    position: [{ before: "" }, { after: "partners" }],
    gate: "passes if unknown is allowed",
  },
  "another value of a field without a typed name": {
    before: { admin: { ...admin, wire: { strength: 1 } } },
    after: { admin: { ...admin, wire: { strength: 2 } } },
    gate: "passes if unknown is allowed",
  },
  "a block narrowed that has a field without a typed name": {
    before: { admin: { ...admin, wire: { strength: 1 } } },
    after: { admin: { ...admin, wire: { strength: 1 }, expression: 'http.request.uri.path eq "/admin"' } },
    gate: "fails",
  },
  "a preview that could not ask the service": {
    before: {},
    after: { admin },
    says: {
      severity: "warning",
      message: `warning: could not check ${FIREWALL} of the zone. The service did not respond.`,
    },
    gate: "passes if unknown is allowed",
  },
};

let emulator: Emulator;
let client: Client;
let zoneId: string;
function inputsOf(rules: Rules | string, { phase = FIREWALL, type, inputs }: Edit, position?: JsonObject): JsonObject {
  if (type === "RulesetRule") {
    const [[ref, rule] = ["", {}]] = Object.entries(rules as Rules);
    return { phase, zoneId, ref, ...rule, position };
  }
  const order =
    typeof rules === "string"
      ? rules
      : Object.keys(rules)
          .map((one) => `${one}\n`)
          .join("");
  return { phase, zoneId, rules, order, ...inputs };
}

function previewOf(edit: Edit): string {
  const { before = {}, after = {}, type = "PhaseEntrypoint", position = [], paths = ["rules"], says } = edit;
  const urn = `urn:pulumi:prod::firewall::pulumi-nodejs:dynamic/rulesets:${type}::waf`;
  const outputs = {
    rulesetId: "r1",
    ruleId: "7",
    ruleIds: Object.fromEntries(Object.keys(before).map((ref) => [ref, ref])),
  };
  const step = {
    ...{ op: "update", urn },
    oldState: { inputs: inputsOf(before, edit, position[0]), outputs },
    newState: { inputs: inputsOf(after, edit, position[1]) },
    detailedDiff: Object.fromEntries(paths.map((path) => [path, { kind: "update" }])),
  };
  return JSON.stringify({ steps: [step], diagnostics: says === undefined ? [] : [{ urn, ...says }] });
}

async function summarized(preview: string, more: object = {}) {
  const printed: string[] = [];
  const context = { print: (line: string) => printed.push(line), printNote: () => undefined, connect: () => client };
  const options = { markdown: true, budget: "60000", zoneNames: true, failOn: "weakened", ...more } as const;
  const code = await runSummarize([join(folder({ "preview.json": preview }), "preview.json")], options, context);
  return { code, comment: `${printed.join("\n")}\n` };
}

const texts = join(__dirname, "summarize-comments");
const fileOf = (name: string): string => join(texts, `${name.replace(/[^a-z0-9]+/g, "-")}.md`);
const expectComment = (name: string, comment: string): void => {
  if (process.env.WRITE_COMMENTS !== undefined) writeFileSync(fileOf(name), comment);
  expect(comment).toBe(readFileSync(fileOf(name), "utf8"));
};

const CODES = { passes: [0, 0], "passes if unknown is allowed": [2, 0], fails: [2, 2] } as const;

describe("the comment on", () => {
  beforeAll(async () => {
    emulator = await freshEmulator({ seed: { ids: "comments", zones: [{ name: "shop.example.com" }] } });
    zoneId = await new Service(emulator).zoneNamed("shop.example.com");
    client = unpacedClientFor(emulator.url);
  });
  afterAll(() => emulator.close());

  test.each(Object.entries(edits))("%s", async (name, edit) => {
    const preview = previewOf(edit);
    const { code, comment } = await summarized(preview);
    const allowed = await summarized(preview, { allowUnknown: true });
    expectComment(name, comment);
    expect([code, allowed.code]).toEqual(CODES[edit.gate]);
  });

  test("a preview that failed", async () => {
    const diagnostics = [{ severity: "error", message: "error: rules[0].action: is required\n" }];
    const { code, comment } = await summarized(JSON.stringify({ steps: [], diagnostics }));
    expectComment("a preview that failed", comment);
    expect(code).toBe(3);
  });

  test("every text belongs to an edit", () => {
    const names = [...Object.keys(edits), "a preview that failed"].map((name) => fileOf(name).slice(texts.length + 1));
    expect(readdirSync(texts).sort()).toEqual(names.sort());
  });
});
