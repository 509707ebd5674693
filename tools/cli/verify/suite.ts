import { isObject, type JsonObject } from "../../../core/model/json.js";
import table from "../../../schema/refusals.json";

/** What the service refuses, with a body that it takes and one that it does not, as its API spells them. */
export interface Refusal {
  readonly code: string;
  readonly refuses: string;
  readonly class: string;
  readonly source: string;
  /** The code of the finding in previews; empty where only the service refuses it. */
  readonly finding: string;
  /** What the message of the service contains. */
  readonly service: string;
  readonly phase: string;
  /** Without, rules of a zone. */
  readonly level?: string;
  /** Of the zone; without, Enterprise. */
  readonly plan?: string;
  readonly valid: readonly JsonObject[];
  readonly invalid: readonly JsonObject[];
}

/** The entries that rules show, with their long bodies written out. */
export const refusals: readonly Refusal[] = table.flatMap((one) =>
  one.valid === undefined
    ? []
    : [{ ...one, valid: one.valid.map(expandedRule), invalid: one.invalid.map(expandedRule) }],
);

/** Whatever has a ref that begins like this was sent by this command. */
export const MARK = "pulumi-rulesets-verify";

/** Rules as they are sent: disabled and marked, so that no request meets them, and a run recognises what an earlier one left. */
function sentRules(rules: readonly JsonObject[]): readonly JsonObject[] {
  return rules.map((rule, index) => ({
    enabled: false,
    ...rule,
    ref: `${MARK}-${typeof rule.ref === "string" ? rule.ref : String(index)}`,
  }));
}

const proof = (phase: string, rules: readonly JsonObject[]): Case => ({
  ...{ code: "the proof", body: "valid", phase },
  rules: sentRules(rules),
});

/** Rules that every plan has. */
const EVERYWHERE: readonly Case[] = [
  { phase: "http_request_firewall_custom", action: "block" },
  { phase: "http_request_cache_settings", action: "set_cache_settings", action_parameters: { cache: true } },
  { phase: "http_request_origin", action: "route", action_parameters: { origin: { port: 443 } } },
].map(({ phase, ...rule }) => proof(phase, [{ ...rule, expression: 'http.host eq "verify.invalid"' }]));

/** The first body that is sent is one of these: of each phase, one; first those that every plan has. */
export const PROOFS: readonly Case[] = [
  ...Map.groupBy([...EVERYWHERE, ...refusals.flatMap(asProof)], ({ phase }) => phase).values(),
].flatMap(([first]) => first ?? []);

function asProof(refusal: Refusal): readonly Case[] {
  const isForAll = whyNot(refusal, { plan: "", whyNotEmpty: () => undefined }) === undefined;
  return isForAll ? [proof(refusal.phase, refusal.valid)] : [];
}

const bodies: readonly Case[] = refusals.flatMap(({ code, phase, valid, invalid }) => [
  { code, body: "valid", phase, rules: sentRules(valid) },
  { code, body: "invalid", phase, rules: sentRules(invalid) },
]);

/** Everything that is ever sent. */
export const sentBodies: readonly (readonly JsonObject[])[] = [...PROOFS, ...bodies].map(({ rules }) => rules);

/** Where it is sent to. */
export const PHASES: ReadonlySet<string> = new Set([...PROOFS, ...bodies].map(({ phase }) => phase));

/** The entries about anything else: lists, certificates, the migration, what the whole zone has. */
const WITHOUT_RULES = table.flatMap(({ code, valid }) => (valid === undefined ? [code] : []));

function expandedRule(rule: unknown): JsonObject {
  const value = expanded(rule);
  if (!isObject(value)) throw new Error("an example must be a rule");
  return value;
}

/** A value with its long parts written out: `{ repeat: 3, of: "p#" }` is `["p0", "p1", "p2"]`, and with `text` one text. */
function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expanded);
  if (!isObject(value)) return value;
  const { repeat, of, text, end = "" } = value;
  if (typeof repeat !== "number")
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, expanded(part)]));
  if (typeof text === "string") return text.repeat(repeat) + (typeof end === "string" ? end : "");
  return Array.from({ length: repeat }, (_, index): unknown =>
    JSON.parse(JSON.stringify(of).replaceAll("#", String(index))),
  );
}

/** A body of the suite: the valid or the invalid one of an entry. */
export interface Case {
  readonly code: string;
  readonly body: "valid" | "invalid";
  readonly phase: string;
  readonly rules: readonly JsonObject[];
}

/** Why entries are not tried, or their bodies. */
export interface Suite {
  readonly cases: readonly Case[];
  readonly notTried: readonly { readonly code: string; readonly why: string }[];
}

/** What a zone can be asked. */
interface Asked {
  readonly plan: string;
  /** Why nothing may be sent to a phase: only to those without rules, where no answer can lose anything. */
  readonly whyNotEmpty: (phase: string) => string | undefined;
}

/** What is sent to a zone of a plan: only entries of its plan, and only to phases without rules. */
export function suiteFor(zone: Asked): Suite {
  const reasons = new Map(refusals.map((refusal) => [refusal.code, whyNot(refusal, zone)]));
  return {
    cases: bodies.filter(({ code }) => reasons.get(code) === undefined),
    notTried: [
      ...[...reasons].flatMap(([code, why]) => (why === undefined ? [] : [{ code, why }])),
      ...WITHOUT_RULES.map((code) => ({ code, why: "a dry run of rules does not show it" })),
    ],
  };
}

function whyNot({ level, plan, phase, valid, invalid }: Refusal, zone: Asked): string | undefined {
  if (level === "accounts") return "it is about rules of an account";
  if (plan !== undefined && plan !== zone.plan) return `it is about zones with the plan ${plan}`;
  // A zone of somebody else has no lists with these names.
  return /\$[a-z]/.test(JSON.stringify([valid, invalid])) ? "it needs a list" : zone.whyNotEmpty(phase);
}
