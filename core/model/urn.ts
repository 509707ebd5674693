/** `urn:pulumi:<stack>::<project>::<types>::<name>`, of which only the name may contain `::` and, like the types of parents, `$`. */
const URN = /^urn:pulumi:([^:]+)::([^:]+)::(.+?)::(.*)$/s;
/** Both front ends have a type of their own for each kind. */
const OWN_TYPE = /^(?:pulumi-nodejs:dynamic\/rulesets|rulesets:index):(\w+)$/;

/** Whether a text is the URN of a resource. */
export function isUrn(text: string): boolean {
  return URN.test(text);
}

/** The stack of a resource as `project/stack`; undefined for something else than a URN. */
export function stackIn(urn: string): string | undefined {
  const [, stack, project] = URN.exec(urn) ?? [];
  return stack === undefined || project === undefined ? undefined : `${project}/${stack}`;
}

/** The name of a resource in the program. */
export function nameIn(urn: string): string {
  return URN.exec(urn)?.[4] ?? "";
}

/** The type of a resource as the engine has it, without those of its parents. */
export function typeIn(urn: string): string {
  const types = URN.exec(urn)?.[3] ?? "";
  return types.slice(types.lastIndexOf("$") + 1);
}

/** The type of a resource of this package; undefined for any other. */
export function ownType(urn: string): string | undefined {
  return ownTypeOf(typeIn(urn));
}

/** The name in this package of a type as the engine has it; undefined for any other. */
export function ownTypeOf(type: string): string | undefined {
  return OWN_TYPE.exec(type)?.[1];
}

/** Whether a resource is a zone of any package: what others get from it as the ID of a zone is then its own. */
export function isZone(urn: string): boolean {
  const [, , types = ""] = urn.split("::");
  return isZoneType(types);
}

/** Whether the type of a resource, with or without those of its parents, is a zone. */
export function isZoneType(type: string): boolean {
  return /[:/]\w*Zone$/.test(type);
}
