import { ADMIN, file, noFile, none, noService, OLD_ZONE, options, service, UNKNOWN, ZONE } from "./conditions.js";
import type { Call, Content, Made, Subject } from "./conditions.js";
import { preview } from "./rules.js";

/* The gates that read zones, states, previews and results. */

const deployed = none("what is deployed has no value that only a run knows");
const clear = none("what is deployed is not secret");
/** The same call for all zones of a service that shows none. */
const everywhere = (call: Call): Call => ({
  ...call,
  args: call.args.flatMap((arg) =>
    arg === "--zone" ? ["--all-zones"] : arg === ZONE || arg === OLD_ZONE ? [] : [arg],
  ),
  faults: [{ path: "/zones$", times: 99, body: { success: true, errors: [], messages: [], result: [] } }],
});
const withFile = (call: Call, name: string, content: Content): Call => ({
  ...call,
  files: { ...call.files, [name]: content },
});

const migration = (name: string, part: string): Subject => {
  const good: Call = { args: ["migration", name, "--zone", OLD_ZONE] };
  return {
    gate: `migration ${name}`,
    good,
    cases: {
      ...service(good, { part }),
      ...noFile("it reads none"),
      "an empty list": everywhere(good),
      "a value that is not known": deployed,
      "a secret value": clear,
      ...options(good, "--json"),
    },
  };
};

const certificates: Call = { args: ["certificates", "report", "--zone", ZONE] };

const report: Call = { args: ["report", "--zone", ZONE, "--fail-on", "error"] };
const invariants = (requests = ADMIN) => ({ invariants: [{ name: "a", requests, must: "be-stopped" }] });
const locked: Call = {
  args: ["managed", "diff", "--zone", ZONE, "--lock", "@lock.json"],
  files: { "lock.json": { version: 1, rulesets: [] } },
};

const part: Call = {
  args: ["rules", "replay", "merge", "@part.json", "--no-looser"],
  files: { "part.json": ({ part: text }) => text },
};
const changedPart =
  (change: (part: Readonly<Record<string, unknown>>) => object | undefined) =>
  ({ part: text }: Made): string => {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return JSON.stringify({ ...value, ...change(value) });
  };

const summarized = (more: readonly string[], shown: Readonly<Record<string, unknown>> = preview(ADMIN)): Call => ({
  args: ["summarize", "@preview.json", ...more],
  files: { "preview.json": shown, "a.invariants.yaml": invariants() },
});
const inputs = preview(ADMIN).steps[0]?.newState;
/** A preview in which the expression of a rule changes to another value. */
const edited = (expression: unknown) => preview(expression, { op: "update", before: { oldState: inputs } });
const unchanged = preview(ADMIN, { op: "same", before: { oldState: inputs } });
const failed = { ...preview(ADMIN), diagnostics: [{ severity: "error", message: "error: no token" }] };
const summarize = (flag: string, more: readonly string[], good: Call, cases: Partial<Subject["cases"]>): Subject => ({
  gate: `summarize ${flag}`,
  good,
  cases: {
    ...noService(summarized(more, failed)),
    ...file(good, "preview.json"),
    "an empty list": withFile(good, "preview.json", { ...preview(ADMIN), steps: [], changeSummary: {} }),
    "a file of another version": withFile(good, "preview.json", { version: 2, resources: [] }),
    "a value that is not known": summarized(more, edited(UNKNOWN)),
    "a secret value": summarized(more, edited("[secret]")),
    ...options(good, "--json"),
    ...cases,
  },
});

const drift: Call = { args: ["drift", "--state", "@state.json"], files: { "state.json": ({ state }) => state } };
const changedState =
  (change: (text: string) => string) =>
  ({ state }: Made): string =>
    change(state);

export const READING: readonly Subject[] = [
  migration("check", "/waf_migration/"),
  migration("plan", "/pagerules"),
  {
    gate: "certificates report",
    good: certificates,
    cases: {
      ...service(certificates, { part: "/custom_certificates" }),
      ...noFile("it reads none"),
      "an empty list": everywhere(certificates),
      "a value that is not known": deployed,
      "a secret value": clear,
      ...options(certificates, "--json"),
    },
  },
  {
    gate: "report --fail-on",
    good: report,
    cases: {
      ...service(report, { part: "accounts/[0-9a-f]+/rulesets$" }),
      ...noFile("it reads none"),
      "an empty list": everywhere(report),
      "a value that is not known": deployed,
      "a secret value": clear,
      ...options(report, "--json"),
    },
  },
  {
    gate: "managed diff --fail-on",
    good: locked,
    cases: {
      ...service(locked, { part: "accounts/[0-9a-f]+/rulesets$" }),
      ...file(locked, "lock.json"),
      "an empty list": everywhere(locked),
      "a file of another version": withFile(locked, "lock.json", { version: 2, rulesets: [] }),
      "a value that is not known": deployed,
      "a secret value": clear,
      ...options(locked, "--json"),
    },
  },
  {
    gate: "rules replay merge --no-looser",
    good: part,
    cases: {
      ...noService({ ...part, args: [...part.args, "@none.json"] }),
      ...file(part, "part.json"),
      "an empty list": withFile(
        part,
        "part.json",
        changedPart(() => ({ runs: [] })),
      ),
      "a file of another version": withFile(
        part,
        "part.json",
        changedPart(() => ({ replay: 2 })),
      ),
      "a value that is not known": withFile(
        part,
        "part.json",
        changedPart(({ result }) => ({ result: { ...(result as object), undecided: 1 } })),
      ),
      "a secret value": none("a result has no rules"),
      ...options(part, "--no-looser"),
    },
  },
  summarize(
    "--fail-on removed, weakened",
    ["--fail-on", "weakened"],
    summarized(["--fail-on", "weakened"], unchanged),
    {},
  ),
  summarize("--fail-on drift", ["--fail-on", "drift"], summarized(["--fail-on", "drift"]), {}),
  summarize(
    "--invariants",
    ["--invariants", "@a.invariants.yaml"],
    summarized(["--invariants", "@a.invariants.yaml"]),
    {
      "an empty list": withFile(summarized(["--invariants", "@a.invariants.yaml"]), "a.invariants.yaml", {
        invariants: [],
      }),
    },
  ),
  {
    gate: "drift",
    good: drift,
    cases: {
      ...service(drift, {
        part: "/rulesets",
        others: {
          ...drift,
          args: [...drift.args, "--state", "@other.json"],
          files: { ...drift.files, "other.json": "{" },
        },
      }),
      "a zone that does not exist": withFile(
        drift,
        "state.json",
        changedState((text) => text.replaceAll(ZONE, "f".repeat(32))),
      ),
      ...file(drift, "state.json"),
      "an empty list": withFile(drift, "state.json", { version: 3, deployment: { resources: [] } }),
      "a file of another version": withFile(
        drift,
        "state.json",
        changedState((text) => text.replace('"version":3', '"version":2')),
      ),
      "a value that is not known": none("a state has none"),
      "a secret value": withFile(
        drift,
        "state.json",
        changedState((text) =>
          text.replaceAll(
            JSON.stringify(ADMIN),
            '{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"v1:abc"}',
          ),
        ),
      ),
      ...options(drift, "--json"),
    },
  },
];
