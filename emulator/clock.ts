import { refuse } from "./failure.js";
import type { Collection } from "./store/collection.js";

/** The first time that RFC 3339 cannot write: the year 10000. */
const END = Date.UTC(10_000, 0);

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

  /** @throws ServiceError if the time is not from 1970 to 9999 */
  set(now: number): void {
    this.moveTo(now - Date.now());
  }

  /** @throws ServiceError if the time is then not from 1970 to 9999 */
  advance(seconds: number): void {
    this.moveTo(this.offsetMs + seconds * 1000);
  }

  private moveTo(offsetMs: number): void {
    const now = Date.now() + offsetMs;
    if (!(now >= 0 && now < END)) throw refuse(400, undefined, "the clock can only be set to times from 1970 to 9999");
    this.meta.put("", "clock", offsetMs);
  }

  private get offsetMs(): number {
    return (this.meta.get("", "clock") as number | undefined) ?? 0;
  }
}
