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
  /** Phases without rules: an answer to a dry run that is no dry run can lose nothing there. */
  readonly empty: ReadonlySet<string>;
}

/** What is sent to a zone of a plan: only entries of its plan, and only to phases without rules. */
export function suiteFor(zone: Asked): Suite {
  const reasons = refusals.map((refusal) => [refusal, whyNot(refusal, zone)] as const);
  return {
    cases: reasons.flatMap(([{ code, phase, valid, invalid }, why]) =>
      why === undefined
        ? [
            { code, body: "valid" as const, phase, rules: valid },
            { code, body: "invalid" as const, phase, rules: invalid },
          ]
        : [],
    ),
    notTried: [
      ...reasons.flatMap(([{ code }, why]) => (why === undefined ? [] : [{ code, why }])),
      ...WITHOUT_RULES.map((code) => ({ code, why: "a dry run of rules does not show it" })),
    ],
  };
}

function whyNot({ level, plan, phase, valid, invalid }: Refusal, zone: Asked): string | undefined {
  if (level === "accounts") return "it is about rules of an account";
  if (plan !== undefined && plan !== zone.plan) return `it is about zones with the plan ${plan}`;
  if (!zone.empty.has(phase)) return `the zone has rules in ${phase}`;
  // A zone of somebody else has no lists with these names.
  return /\$[a-z]/.test(JSON.stringify([valid, invalid])) ? "it needs a list" : undefined;
}
