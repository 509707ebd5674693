/**
 * Which resource manages which object in this run. The engine creates first and deletes last, in one process, or
 * deletes first if told to. A delete must not be sent for an object that a resource of the program still manages.
 */
export class Owners {
  private readonly holders = new Map<string, Set<string>>();

  /** Records that a resource of the program manages an object. Returns another resource that does so too. */
  claim(key: string, urn: string): string | undefined {
    const holders = this.holders.get(key) ?? new Set();
    const other = otherIn(holders, urn);
    holders.add(urn);
    this.holders.set(key, holders);
    return other;
  }

  /** A resource of this run that manages the object: another one if there is one, otherwise this one. */
  claimantOf(key: string, urn: string | undefined): string | undefined {
    const holders = this.holders.get(key);
    return otherIn(holders, urn) ?? (urn !== undefined && holders?.has(urn) === true ? urn : undefined);
  }

  isClaimedBy(key: string, urn: string): boolean {
    return this.holders.get(key)?.has(urn) === true;
  }

  /** Another resource of this run that manages the object. */
  otherClaimant(key: string, urn: string | undefined): string | undefined {
    return otherIn(this.holders.get(key), urn);
  }
}

/** Looks at no more than two entries, however many resources share an object. */
function otherIn(holders: ReadonlySet<string> = new Set(), urn: string | undefined): string | undefined {
  for (const holder of holders) if (holder !== urn) return holder;
  return undefined;
}
