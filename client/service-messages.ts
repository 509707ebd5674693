/** Reports the `messages` of the service's responses as warnings, each one once per resource. */
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
