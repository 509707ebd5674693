/** Tells what the service says beside its answers: each message once for each resource. */
export class ServiceMessages {
  private readonly told = new Set<string>();

  constructor(private readonly warn: (urn: string | undefined, text: string) => void) {}

  tell(urn: string | undefined, message: string): void {
    const key = JSON.stringify([urn, message]);
    if (this.told.has(key)) return;
    this.told.add(key);
    this.warn(urn, `the service says: ${message}`);
  }
}
