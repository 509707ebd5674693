/** The resource that a call is about. */
export interface CalledResource {
  readonly urn: string;
  /** Such as `PhaseEntrypoint`. */
  readonly kind: string;
  /** Its name in the program. */
  readonly name: string;
}

const URN = /^urn:pulumi:.+?::.+?::(.+?)::(.*)$/s;

/** What a URN says: `urn:pulumi:dev::shop::rulesets:index:PhaseEntrypoint::waf`. Types of parents stand before the type. */
export function parseUrn(urn: string): CalledResource {
  const [, types = "", name = ""] = URN.exec(urn) ?? [];
  return { urn, kind: types.slice(types.lastIndexOf(":") + 1), name };
}
