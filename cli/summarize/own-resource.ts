import type { Description } from "../../provider/engine/description.js";

const URN = /^urn:pulumi:([^:]+)::([^:]+)::(?:.*\$)?([^$]+)::(.*)$/;
/** Both front ends have a type of their own for each kind. */
const OWN_TYPE = /^(?:pulumi-nodejs:dynamic\/rulesets|rulesets:index):(\w+)$/;

/** The stack of a resource as `project/stack`; undefined for something else than a URN. */
export function stackIn(urn: string): string | undefined {
  const [, stack, project] = URN.exec(urn) ?? [];
  return stack === undefined || project === undefined ? undefined : `${project}/${stack}`;
}

/** The name of a resource in the program. */
export function nameIn(urn: string): string {
  return URN.exec(urn)?.[4] ?? "";
}

/** The type of a resource of this package; undefined for any other. */
export function ownType(urn: string): string | undefined {
  return OWN_TYPE.exec(URN.exec(urn)?.[3] ?? "")?.[1];
}

/** Finds the description of a type of this package; undefined for one that this version does not know. */
export type Describe = (type: string) => Description | undefined;

/** Whether a type consists of the one rule that its arguments describe. */
export function isSingleRule(description: Description | undefined): boolean {
  return description?.hasRules === true && description.keyed !== true;
}

/** The stack itself and provider configurations are not counted as resources. */
export function isInfrastructure(urn: string): boolean {
  const type = URN.exec(urn)?.[3] ?? "";
  return type === "pulumi:pulumi:Stack" || type.startsWith("pulumi:providers:");
}

/** `PhaseEntrypoint "waf"`. */
export function resourceWords(urn: string): string {
  return `${ownType(urn) ?? ""} ${JSON.stringify(nameIn(urn))}`;
}
