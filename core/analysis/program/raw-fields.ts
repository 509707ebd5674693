import { readProperty } from "../../simulator/read-property.js";
import type { RuleInput } from "../../simulator/ruleset-input.js";
import { stable } from "./stable.js";

/** Fields of the service in a rule that have no typed name, so that what they do is not known here. */
export interface RawFields {
  /** Their values by where they are: `actionParameters.wire.new_field`. */
  readonly values: ReadonlyMap<string, unknown>;
  /** Equal for rules in which they are the same. */
  readonly key: string;
}

/** Members of a rule whose meaning is known, or that have none for requests. */
const OF_RULE: ReadonlySet<string> = new Set([
  ...["ref", "id", "description", "action", "expression", "enabled", "logging", "opaque", "position", "version"],
  ...["actionParameters", "action_parameters", "ratelimit", "exposedCredentialCheck", "exposed_credential_check"],
  ...["categories", "lastUpdated", "last_updated"],
]);

/** Parameters of the actions of which only some are compared; of all others, all of them are. */
const OF_ACTION: Readonly<Record<string, ReadonlySet<string>>> = {
  block: new Set(["response"]),
  force_connection_close: new Set(["response"]),
  skip: new Set(["ruleset", "phase", "phases", "rulesets", "rules", "products"]),
  redirect: new Set(["fromValue", "from_value", "fromList", "from_list"]),
  execute: new Set(["id", "overrides", "matchedData", "matched_data"]),
};

/** Finds the raw fields of a rule: what `wire` contains, in its parameters and its limit too. Undefined if there are none. */
export function rawFieldsOf(rule: RuleInput): RawFields | undefined {
  const { action, ratelimit } = rule;
  const parameters = rule.actionParameters ?? rule.action_parameters;
  const overrides = readProperty(parameters, "overrides");
  const found = [
    ...unknownMembers("", rule, OF_RULE),
    ...unknownMembers("actionParameters.", parameters, OF_ACTION[action]),
    ...unknownMembers("ratelimit.", ratelimit),
    ...unknownMembers("actionParameters.overrides.", overrides),
    ...["categories", "rules"].flatMap((name) => {
      const list = readProperty(overrides, name);
      return (Array.isArray(list) ? list : []).flatMap((one, index) =>
        unknownMembers(`actionParameters.overrides.${name}[${String(index)}].`, one),
      );
    }),
  ];
  if (found.length === 0) return undefined;
  return {
    values: new Map(found.map(({ at, wire, name, value }) => [`${at}${wire}${name}`, value])),
    key: stable(new Map(found.map(({ at, name, value }) => [`${at}${name}`, value]))),
  };
}

/** The names of the raw fields that differ. */
export function differingFields(one: RawFields | undefined, other: RawFields | undefined): readonly string[] {
  const names = new Set([...(one?.values.keys() ?? []), ...(other?.values.keys() ?? [])]);
  return Array.from(names).filter((name) => stable(one?.values.get(name)) !== stable(other?.values.get(name)));
}

interface UnknownMember {
  readonly at: string;
  /** `wire.`, if programs write it there. */
  readonly wire: "wire." | "";
  readonly name: string;
  readonly value: unknown;
}

/** @param known names of members that are not raw; without it, only those in `wire` are */
function unknownMembers(at: string, from: unknown, known?: ReadonlySet<string>): readonly UnknownMember[] {
  if (typeof from !== "object" || from === null) return [];
  const { wire } = from as { readonly wire?: unknown };
  const raw = typeof wire === "object" && wire !== null ? Object.entries(wire) : [];
  const isOther = (name: string): boolean => name !== "wire" && known?.has(name) === false;
  const others = Object.keys(from).some(isOther) ? Object.entries(from).filter(([name]) => isOther(name)) : [];
  if (raw.length === 0 && others.length === 0) return [];
  const found = (place: UnknownMember["wire"], entries: readonly [string, unknown][]): readonly UnknownMember[] =>
    entries.flatMap(([name, value]) =>
      value === undefined || isUsualVersion(name, value) ? [] : [{ at, wire: place, name, value }],
    );
  return [...found("", others), ...found("wire.", raw)];
}

/** The service adds it to rules that execute a ruleset. */
function isUsualVersion(name: string, value: unknown): boolean {
  return name === "version" && value === "latest";
}
