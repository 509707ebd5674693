/** The emulator's own time: the machine's, shifted by whatever a test asked for. */
export class EmulatorClock {
  private offsetMs = 0;

  now(): number {
    return Date.now() + this.offsetMs;
  }

  /** RFC 3339 in UTC with microseconds, as the service writes it. */
  timestamp(): string {
    return new Date(this.now()).toISOString().replace("Z", "000Z");
  }

  set(now: number): void {
    this.offsetMs = now - Date.now();
  }

  advance(seconds: number): void {
    this.offsetMs += seconds * 1000;
  }

  reset(): void {
    this.offsetMs = 0;
  }
}
