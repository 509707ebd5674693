import type { Description } from "../../../provider/engine/description.js";
import { nameIn, ownType, typeIn } from "../../../core/model/urn.js";

/** Finds the description of a type of this package; undefined for one that this version does not know. */
export type Describe = (type: string) => Description | undefined;

/** Whether a type consists of the one rule that its arguments describe. */
export function isSingleRule(description: Description | undefined): boolean {
  return description?.hasRules === true && description.keyed !== true;
}

/** The stack itself and provider configurations are not counted as resources. */
export function isInfrastructure(urn: string): boolean {
  const type = typeIn(urn);
  return type === "pulumi:pulumi:Stack" || type.startsWith("pulumi:providers:");
}

/** `PhaseEntrypoint "waf"`. */
export function resourceWords(urn: string): string {
  return `${ownType(urn) ?? ""} ${JSON.stringify(nameIn(urn))}`;
}
