import type { Collection } from "./store/collection.js";

/** The emulator's own time: the machine's, with the offset that tests have set. The offset survives restarts. */
export class EmulatorClock {
  constructor(private readonly meta: Collection<unknown>) {}

  now(): number {
    return Date.now() + this.offsetMs;
  }

  /** RFC 3339 in UTC with microseconds, as the service writes it. */
  timestamp(): string {
    return new Date(this.now()).toISOString().replace("Z", "000Z");
  }

  set(now: number): void {
    this.meta.put("", "clock", now - Date.now());
  }

  advance(seconds: number): void {
    this.meta.put("", "clock", this.offsetMs + seconds * 1000);
  }

  private get offsetMs(): number {
    return (this.meta.get("", "clock") as number | undefined) ?? 0;
  }
}
