import type { Scope } from "../../core/model/ids.js";
import { isObject, type JsonObject } from "../../core/model/json.js";
import table from "../../schema/refusals.json";
import type { Caller } from "./caller.js";

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

/** Those that are tried with rules. */
export const refusals: readonly Refusal[] = table.flatMap((one) =>
  one.valid === undefined
    ? []
    : [{ ...one, valid: one.valid.map(expandedRule), invalid: one.invalid.map(expandedRule) }],
);

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

/** Why the service refuses a new ruleset with rules as its API spells them; undefined if it takes them. Nothing is left behind. */
export async function refusalOf(
  caller: Caller,
  { level, id, kind }: Scope & { readonly kind: string },
  { phase, rules }: { readonly phase: string; readonly rules: readonly JsonObject[] },
): Promise<string | undefined> {
  const path = `/${level}/${id}/rulesets`;
  const answer = await caller.send<{ id: string }>("POST", path, { name: "default", kind, phase, rules });
  if (!answer.success) return answer.errors.map(({ message }) => message).join("\n");
  await caller.send("DELETE", `${path}/${answer.result.id}`);
  return undefined;
}
