import Ajv from "ajv";
import { parse } from "yaml";
import { parseLock } from "../../tools/cli/managed/lock-file.js";
import { readFleet } from "../../tools/fleet/read.js";
import { readInvariants } from "../../core/invariants/read.js";
import { TextDocument } from "../../tools/rules-files/text/text-document.js";
import { rulesOfDocument } from "../../tools/rules-files/document.js";
import { waiversOf } from "../../tools/rules-files/check/waivers.js";
import { suiteOf } from "../../tools/rules-files/test/suite.js";
import tests from "../../schema/firewall-tests.schema.json";
import fleet from "../../schema/fleet.schema.json";
import invariants from "../../schema/invariants.schema.json";
import lock from "../../schema/managed-lock.schema.json";
import rulesets from "../../schema/rulesets.schema.json";
import waivers from "../../schema/waivers.schema.json";
import { fc, runs } from "../support/properties.js";

/* A published schema and the reader of its files agree, whatever a valid file is changed to. */

const ajv = new Ajv({ allowUnionTypes: true, keywords: ["errorMessage"] });
/** A value that may be a secret: no message shows it. */
const SECRET = "s3cr3t";

const FLEET = `
program: firewall
stacks: { prefix: prod-, settings: Pulumi.fleet.yaml }
zones: { accounts: [aaaa], include: "*.example.com", plans: [pro], command: ./zones.sh, timeout: 5m }
shardSize: 50
tokens: [{ variable: TOKEN_A, accounts: [aaaa], requests: 2400, seconds: 60 }]
waves:
  - name: canary
    zones: [a.example.com]
    gates: [{ prove: a }, { summarize: drift }, { run: x, timeout: 5m }, { wait: 30m }]
  - { name: one, percent: 1 }
  - name: rest
failures: { failed: 2, moved: 10% }`;
const INVARIANTS = `
invariants:
  - { name: a, zones: { plan: pro, name: "*.a.example" }, requests: ssl, must: be-stopped }
  - { name: b, zones: all, requests: true, must: { redirect: { to: "https://b.example/", status: 301 } } }
  - name: c
    requests: ssl
    must: { reach-managed-rules: efb7b8c949ac4650a09736fc376e9aee }
    except: [{ zone: c.example, until: 2027-01-31, reason: d }]`;
const TESTS = `
rules: rules.json
zone: { id: z, name: a.example, plan: free }
coverage: 0.5
request: { headers: { a: b, c: [d, e] } }
tests:
  - { name: a, request: GET https://a.example/, response: { status: 200, headers: { a: b } }, expect: allow }
  - { request: { url: /, headers: [[a, b]], asn: 7 }, response: 200, expect: { block: a, limit: { after: 10, by: b } } }
  - { request: { url: / }, expect: { redirect: { to: x, status: 301 }, rewrite: { url: x, headers: { a: null } } } }`;
const WAIVERS = "waivers: [{ finding: type, reason: a, rule: b, ruleset: c, until: 2027-01-31 }]";
const RULESETS = `
rulesets:
  - { id: a, phase: b, name: c, kind: zone, zoneId: d, ownership: shared, rules: [{ action: e, expression: f }] }
lists: { a: [192.0.2.1], b: [64500] }
redirectLists: { a: [{ sourceUrl: a.example/, targetUrl: b }, { redirect: {} }] }`;
const LOCK = `
version: 1
rulesets:
  - { id: a, name: b, phase: c, version: "2", rules: [{ id: d, name: e, version: f, action: log, enabled: true, categories: [g] }] }`;
type Steps = readonly (string | number)[];

/** The steps to every part of a value. */
function stepsIn(value: unknown, at: Steps = []): Steps[] {
  if (typeof value !== "object" || value === null) return [at];
  const parts: readonly (readonly [string | number, unknown])[] = Array.isArray(value)
    ? (value as unknown[]).map((item, index) => [index, item] as const)
    : Object.entries(value);
  return [at, ...parts.flatMap(([step, part]) => stepsIn(part, [...at, step]))];
}

type Change = { readonly kind: "set"; readonly to: unknown } | { readonly kind: "rename" | "remove" | "add" };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc
    .constantFrom<unknown>(null, true, 0, -1, 2.5, "", " ", SECRET, "all", [], [SECRET], {}, { other: SECRET }, [[]])
    .map((to): Change => ({ kind: "set", to })),
  fc.constantFrom<Change>({ kind: "rename" }, { kind: "remove" }, { kind: "add" }),
);

/** The value with one part of it changed. */
function changed(value: unknown, [step, ...rest]: Steps, how: Change): unknown {
  if (step === undefined) {
    if (how.kind === "set") return how.to;
    return how.kind === "add" && typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value, other: SECRET }
      : value;
  }
  if (Array.isArray(value))
    return (value as unknown[]).flatMap((item, index) => {
      if (index !== step) return [item];
      return rest.length === 0 && how.kind === "remove" ? [] : [changed(item, rest, how)];
    });
  return Object.fromEntries(
    Object.entries(value ?? {}).flatMap(([key, item]) => {
      if (key !== step) return [[key, item] as const];
      if (rest.length === 0 && how.kind === "remove") return [];
      return [[rest.length === 0 && how.kind === "rename" ? `${key}x` : key, changed(item, rest, how)] as const];
    }),
  );
}

const document = (text: string): TextDocument => TextDocument.parse(text, "file");

test.each<[name: string, schema: object, good: string, read: (text: string) => unknown, beyond: RegExp]>([
  [
    "a fleet",
    fleet,
    FLEET,
    (text) => readFleet(document(text)),
    /name of two waves|last wave|another token|must be one of key|must be a time/,
  ],
  [
    "invariants",
    invariants,
    INVARIANTS,
    (text) => readInvariants(document(text)),
    /name of two invariants|last day|is not a known|invariants\[\d\]\.requests/,
  ],
  ["tests", tests, TESTS, (text) => suiteOf(document(text)), /url is required/],
  ["waivers", waivers, WAIVERS, (text) => waiversOf(document(text)), /a day that exists/],
  [
    "rulesets",
    rulesets,
    RULESETS,
    // A list of them is read, too.
    (text) => rulesOfDocument(document(text.startsWith("[") ? "{}" : text)),
    /did you mean|an IP address|items of one kind/,
  ],
  ["a lock", lock, LOCK, (text) => parseLock(text, "file"), /^$/],
])(
  "%s is refused where its schema refuses it, with the place and without the value",
  (_name, schema, good, read, beyond) => {
    const isValid = ajv.compile(schema);
    const value: unknown = parse(good);
    const part = fc.constantFrom(...stepsIn(value));
    fc.assert(
      fc.property(fc.array(fc.tuple(part, change), { maxLength: 2 }), (changes) => {
        const mutated = changes.reduce((one, [steps, how]) => changed(one, steps, how), value);
        const message = refusalOf(() => read(JSON.stringify(mutated)));
        if (isValid(mutated)) expect(message ?? "").toMatch(message === undefined ? /^$/ : beyond);
        else {
          expect(message).toMatch(/^file:\d+:\d+: /);
          expect(message).not.toContain(SECRET);
        }
      }),
      { numRuns: runs(300) },
    );
  },
);

function refusalOf(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
