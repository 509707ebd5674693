import type { HttpRequest, RequestInput } from "../../core/language/index.js";
import {
  simulate,
  type Program,
  type SimulateInput,
  type Simulation,
  type ZoneInput,
} from "../../core/simulator/index.js";
import { Coverage, type CoverageReport } from "./coverage.js";

/** The rules that a program declares, and which of them tests have hit. */
export class Firewall {
  private readonly hits = new Coverage();

  constructor(readonly program: Program) {}

  /**
   * A zone to try requests against.
   * @param zone the ID, alone or with other properties of the zone; optional if the program has one zone
   * @throws TypeError when the program has no rules for that zone or its account
   */
  zone(zone: string | ZoneInput = {}): Zone {
    const known = typeof zone === "string" ? { id: zone } : zone;
    const ids = new Set(this.program.rulesets.flatMap(({ zoneId }) => zoneId ?? []));
    if (known.id !== undefined && !ids.has(known.id) && ids.size > 0) {
      const names = Array.from(ids).join(", ");
      throw new TypeError(`zone "${known.id}" has no rules in the program; zones with rules: ${names}`);
    }
    return new Zone(this.program, known, this.hits);
  }

  /**
   * Which rules the requests so far have hit. Rules that apply only later do not count until a request hits them.
   * @param now milliseconds since the epoch
   */
  coverage(now = Date.now()): CoverageReport {
    return this.hits.report(this.program, now / 1000);
  }

  /**
   * Fails when tests have hit too few rules. Call it after all tests.
   * @param atLeast share of the rules, 0 to 1
   * @throws Error that lists the rules that no test hits
   */
  requireCoverage(atLeast: number): void {
    const report = this.coverage();
    if (report.ratio < atLeast) throw new Error(`${report.text}\nThe coverage must be at least ${percent(atLeast)}.`);
  }
}

export type TryOptions = Pick<SimulateInput, "clock" | "limits" | "redirectLists" | "response">;

/** One zone of a firewall. */
export class Zone {
  constructor(
    private readonly program: Program,
    private readonly known: ZoneInput,
    private readonly coverage: Coverage,
  ) {}

  /** What the rules do to a request. */
  simulate(request: HttpRequest | RequestInput, options: TryOptions = {}): Simulation {
    const seen = simulate({ ...options, program: this.program, zone: this.known, request });
    this.coverage.add(seen);
    return seen;
  }
}

function percent(part: number): string {
  return `${String(Math.round(part * 100))}%`;
}
