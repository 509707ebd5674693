import type { Description } from "../../../provider/engine/description.js";
import { findKind } from "../../../provider/kinds/index.js";
import { nameIn, ownType, typeIn } from "../../../core/model/urn.js";

/** The description of a resource's kind; undefined for another package's, and for a kind that this version does not know. */
export function descriptionOf(urn: string): Description | undefined {
  return findKind(ownType(urn) ?? "")?.description;
}

/** Whether a resource consists of the one rule that its arguments describe. */
export function isSingleRule(urn: string): boolean {
  const description = descriptionOf(urn);
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
