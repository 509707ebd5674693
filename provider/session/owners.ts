/**
 * Who addresses which object in this run. The engine creates first and deletes last, in one process; a delete of an
 * object that another resource holds, or that was just created again, must not be sent.
 */
export class Owners {
  private readonly holders = new Map<string, Set<string>>();
  private readonly taken = new Set<string>();

  /** Notes that a resource of the program addresses an object. Returns another resource that does so too. */
  hold(key: string, urn: string): string | undefined {
    const holders = this.holders.get(key) ?? new Set();
    const other = [...holders].find((holder) => holder !== urn);
    holders.add(urn);
    this.holders.set(key, holders);
    return other;
  }

  /** Another resource of this run that addresses the object. */
  otherHolder(key: string, urn: string | undefined): string | undefined {
    return [...(this.holders.get(key) ?? [])].find((holder) => holder !== urn);
  }

  /** Notes that a create of this run made or took over an object. */
  take(key: string): void {
    this.taken.add(key);
  }
  wasTaken(key: string): boolean {
    return this.taken.has(key);
  }
}
