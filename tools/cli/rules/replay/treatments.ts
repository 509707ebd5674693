import { describeOutcome, directionOf, mayBeLooser, type Direction } from "../traffic/outcome.js";
import type { HttpRequest } from "../../../../core/language/index.js";
import { RunningLimits, simulate, type ProgramVersions, type Simulation } from "../../../../core/simulator/index.js";
import { reasonText } from "./defaults.js";

/** What both versions do to a request. */
export interface Treatment {
  readonly from: string;
  readonly to: string;
  readonly direction: Direction;
  /** Whether it is not known that the request is stopped at least as firmly as before. */
  readonly mayBeLooser: boolean;
  /** Why an outcome is unknown. */
  readonly reasons: readonly string[];
}

/** Finds what both versions do to requests in their order. Equal treatments are the same object. */
export class Treatments {
  private readonly limits = { before: new RunningLimits(), after: new RunningLimits() };
  private readonly known = new Map<string, Treatment>();

  constructor(
    private readonly programs: ProgramVersions,
    private readonly zone: string | undefined,
  ) {}

  /** @param at when it was received, in seconds since 1970 */
  of(request: HttpRequest, at: number | undefined): Treatment {
    const { zone } = this;
    const clock = at === undefined ? undefined : at * 1000;
    const run = (version: keyof ProgramVersions): Simulation =>
      simulate({ program: this.programs[version], request, zone, limits: this.limits[version], clock, trace: false });
    const [before, after] = [run("before"), run("after")];
    return this.interned(before, after);
  }

  private interned(before: Simulation, after: Simulation): Treatment {
    const because = [before, after].flatMap(({ outcomeWithoutManaged: outcome, undecided }) =>
      outcome === "unknown" ? undecided.flatMap((one) => one.because) : [],
    );
    const treatment = {
      from: describeOutcome(before),
      to: describeOutcome(after),
      direction: directionOf(before, after),
      mayBeLooser: mayBeLooser(before, after),
      reasons: Array.from(new Set(because.map(reasonText))),
    };
    const key = JSON.stringify(treatment);
    const known = this.known.get(key) ?? treatment;
    this.known.set(key, known);
    return known;
  }
}
