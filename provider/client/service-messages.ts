/** Tells what the service says beside its answers: each message once for each resource. */
export class ServiceMessages {
  private readonly reported = new Set<string>();

  constructor(private readonly warn: (urn: string | undefined, text: string) => void) {}

  report(urn: string | undefined, message: string): void {
    const key = JSON.stringify([urn, message]);
    if (this.reported.has(key)) return;
    this.reported.add(key);
    this.warn(urn, `the service says: ${message}`);
  }
}
