/** Fields as the rules of one phase see them. */
export interface Fields {
  /** Equal keys mean equal fields. */
  readonly key: string;
  /** The name of a field in terms: a field that earlier phases rewrote is a different term than before. */
  readonly name: (name: string) => string;
  /** Whether the field is unchanged: no rule has rewritten it. */
  readonly isAsSent: (name: string) => boolean;
  /** Whether the phase does not have the field, so it is nil. */
  readonly isAbsent: (name: string) => boolean;
}

export const ORDINARY: Fields = { key: "", name: (name) => name, isAsSent: () => true, isAbsent: () => false };
