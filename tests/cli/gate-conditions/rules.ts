import { ADMIN, file, FIREWALL, noFile, none, noService, options, service, UNKNOWN, ZONE } from "./conditions.js";
import type { Call, Content, Subject } from "./conditions.js";

const admin = { ref: "admin", action: "block", expression: ADMIN };
const rulesets = (expression = ADMIN) => ({ kind: "zone", phase: FIREWALL, rules: [{ ...admin, expression }] });
/** What `pulumi preview --json` writes of one rule. */
export const preview = (expression: unknown, { op = "create", before = {}, more = {} } = {}) => ({
  steps: [
    {
      ...{ op, urn: `urn:pulumi:prod::shop::rulesets:index:PhaseEntrypoint::waf`, ...before },
      newState: {
        inputs: { zoneId: ZONE, phase: FIREWALL, rules: { admin: { ...admin, expression } }, order: "admin\n" },
        outputs: {},
      },
    },
  ],
  diagnostics: [],
  changeSummary: { [op]: 1 },
  ...more,
});
const REQUEST = ["--request", "https://shop.test/admin"];
/** A list of the account that rules use, so that a part of it can be forbidden. */
const PART = "accounts/[0-9a-f]+/rulesets$";

const invariants = (must = "be-stopped") => ({ invariants: [{ name: "admin is closed", requests: ADMIN, must }] });
const tests = { tests: [{ name: "closed", request: "https://shop.test/admin", expect: { block: "admin" } }] };

const checked: Call = { args: ["rules", "check", "--zone", ZONE] };
const checkedFile: Call = { args: ["rules", "check", "@rules.json"], files: { "rules.json": rulesets() } };
const tried: Call = { args: ["rules", "try", "--zone", ZONE, ...REQUEST] };
const triedFile: Call = { args: ["rules", "try", "@rules.json", ...REQUEST], files: { "rules.json": rulesets() } };
const tested: Call = {
  args: ["rules", "test", "--zone", ZONE, "@a.firewall.yaml"],
  files: { "a.firewall.yaml": tests },
};
const testedPreview = (expression: unknown): Call => ({
  args: ["rules", "test", "--rules", "@preview.json", "@a.firewall.yaml"],
  files: { "a.firewall.yaml": tests, "preview.json": preview(expression) },
});
const compared: Call = {
  args: ["rules", "diff", "--zone", ZONE, "@rules.json", "--no-looser"],
  files: { "rules.json": rulesets() },
};
const comparedPreview = (expression: unknown): Call => ({
  args: ["rules", "diff", "@rules.json", "@preview.json", "--no-looser"],
  files: { "rules.json": rulesets(), "preview.json": preview(expression) },
});
const proved: Call = {
  args: ["rules", "prove", "--zone", ZONE, "@a.invariants.yaml"],
  files: { "a.invariants.yaml": invariants() },
};
const provedPreview = (expression: unknown): Call => ({
  args: ["rules", "prove", "--program", "@preview.json", "@a.invariants.yaml"],
  files: { "a.invariants.yaml": invariants(), "preview.json": preview(expression) },
});
const line = { ClientRequestHost: "shop.test", ClientRequestURI: "/admin", ClientIP: "192.0.2.1" };
const replayed: Call = {
  args: ["rules", "replay", "run", "--zone", ZONE, "--after", "@rules.json", "@log.json", "--no-looser"],
  files: { "rules.json": rulesets(), "log.json": line },
};
const replayedPreview = (expression: unknown): Call => ({
  args: ["rules", "replay", "run", "--before", "@rules.json", "--after", "@preview.json", "@log.json", "--no-looser"],
  files: { "rules.json": rulesets(), "log.json": line, "preview.json": preview(expression) },
});
const withFile = (call: Call, name: string, content: Content): Call => ({
  ...call,
  files: { ...call.files, [name]: content },
});
const oneZone = none("it is about one zone");
const unversioned = none("the file has no version");

export const RULES: readonly Subject[] = [
  {
    gate: "rules check --fail-on",
    good: checked,
    cases: {
      ...service(checked, { part: PART }),
      ...file(checkedFile, "rules.json"),
      "an empty list": withFile(checkedFile, "rules.json", []),
      "a file of another version": unversioned,
      "a value that is not known": withFile(checkedFile, "rules.json", preview(UNKNOWN)),
      "a secret value": withFile(checkedFile, "rules.json", preview("[secret]")),
      ...options(checked, "--json"),
    },
  },
  {
    gate: "rules explain",
    good: { args: ["rules", "explain", "ssl"] },
    cases: {
      ...noService(none("it is about one expression")),
      ...noFile("it reads none"),
      "an empty list": { args: ["rules", "explain", ""] },
      "a value that is not known": none("an expression is a text"),
      "a secret value": none("an expression is a text"),
      ...options({ args: ["rules", "explain", "ssl"] }, "--json", false),
    },
  },
  {
    gate: "rules try",
    good: tried,
    cases: {
      ...service(tried, { part: PART, others: oneZone }),
      ...file(triedFile, "rules.json"),
      "an empty list": none("a request that meets no rule is allowed, and that is known"),
      "a file of another version": unversioned,
      "a value that is not known": withFile(triedFile, "rules.json", preview(UNKNOWN)),
      "a secret value": withFile(triedFile, "rules.json", preview("[secret]")),
      ...options(tried, "--json"),
    },
  },
  {
    gate: "rules test --coverage, --trace",
    good: tested,
    cases: {
      ...service(tested, { part: PART, others: oneZone }),
      ...file(tested, "a.firewall.yaml"),
      "an empty list": withFile(tested, "a.firewall.yaml", { tests: [] }),
      "a file of another version": unversioned,
      "a value that is not known": testedPreview(UNKNOWN),
      "a secret value": testedPreview("[secret]"),
      ...options(tested, "--json"),
    },
  },
  {
    gate: "rules diff --no-looser",
    good: compared,
    cases: {
      ...service(compared, { part: PART, others: oneZone }),
      ...file(compared, "rules.json"),
      "an empty list": withFile(compared, "rules.json", []),
      "a file of another version": unversioned,
      "a value that is not known": comparedPreview(UNKNOWN),
      "a secret value": comparedPreview("[secret]"),
      ...options(compared, "--no-looser"),
    },
  },
  {
    gate: "rules prove",
    good: proved,
    cases: {
      ...service(proved, { part: PART }),
      ...file(proved, "a.invariants.yaml"),
      "an empty list": withFile(proved, "a.invariants.yaml", { invariants: [] }),
      "a file of another version": unversioned,
      "a value that is not known": provedPreview(UNKNOWN),
      "a secret value": provedPreview("[secret]"),
      ...options(proved, "--json"),
    },
  },
  {
    gate: "rules replay run --no-looser",
    good: replayed,
    cases: {
      ...service(replayed, {
        part: PART,
        others: withFile(replayed, "log.json", `${JSON.stringify(line)}\n{"a":1}\n`),
      }),
      ...file(replayed, "log.json"),
      "an empty list": withFile(replayed, "log.json", "[]\n"),
      "a file of another version": unversioned,
      "a value that is not known": replayedPreview(UNKNOWN),
      "a secret value": replayedPreview("[secret]"),
      ...options(replayed, "--no-looser"),
    },
  },
];
