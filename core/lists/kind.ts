/** What the items of a list are. */
export const LIST_KINDS = ["ip", "redirect", "hostname", "asn"] as const;
export type ListKind = (typeof LIST_KINDS)[number];

/** Whether this version knows the kind of a list: the service may have others. */
export function isListKind(kind: unknown): kind is ListKind {
  return LIST_KINDS.some((known) => known === kind);
}

/** Why the items of a list cannot be used here. */
export function unknownKindWords({ name, kind }: { readonly name: string; readonly kind: string }): string {
  return `the list ${name} could not be read: its kind ${JSON.stringify(kind)} is not known to this version`;
}
