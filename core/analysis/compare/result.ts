import type { HttpRequest, RequestInput } from "../../language/index.js";
import type { RulePlace } from "../../simulator/index.js";
import { shows, type Direction, type Treatment } from "./treatment.js";

/**
 * `equivalent`: proved that no request is treated differently. `stricter`: enforcement is stricter for some requests, and proved
 * to be weaker for none. `looser`: the reverse. `both`: some of each, if only for a moment, or changes that are neither, such as
 * another redirect target.
 * `unknown`: could not be determined, though there may be witnesses.
 */
export type CompareVerdict = "equivalent" | "stricter" | "looser" | "both" | "unknown";

export type Change = Exclude<Direction, "same" | "unknown">;

/** A request whose outcome changes, confirmed by running it through both versions. */
export interface CompareWitness {
  readonly request: HttpRequest;
  /** The input that `request` is built from. */
  readonly input: RequestInput;
  readonly zone?: string;
  readonly before: Treatment;
  readonly after: Treatment;
  readonly direction: Change;
  /** Set if the request is looser in one respect and stricter in another: other rules may stop it than before. */
  readonly also?: "stricter";
  /** In one line: `GET https://a.example.com/login from 203.0.113.9: allowed → blocked by "Login limits"`. */
  readonly text: string;
}

/**
 * `shown`: by a request. `momentary`: at most by when the counters of rate limits are reset, as all else is ruled out. `ruledOut`:
 * proved that no request is treated so. `undecided`: none of these.
 */
export type Certainty = "shown" | "momentary" | "ruledOut" | "undecided";

/** A change that could not be judged. */
export interface UndecidedChange {
  /** The name of the rule. */
  readonly rule: string;
  readonly ref?: string;
  /** What the change may do. */
  readonly direction: Change;
  readonly why: string;
  /** What would decide it, if that is neither a longer search nor the rules around it. */
  readonly decidedBy?: string;
  /** Set if the rule has a part that is not known here, which is why. */
  readonly isHidden?: true;
  /**
   * Set if the only open question is when the counters of rate limits are reset: by their numbers, they stop at least as much in
   * this direction as before. A gate lets that pass.
   */
  readonly isByOrder?: true;
}

/** Whether an edit lets requests through that were stopped: no, yes, or not decided. A gate passes only if it does not. */
export type Weakens = "no" | "yes" | "unknown";

/** What a gate needs to know of a comparison. */
export function weakensOf({ looser, undecided }: Pick<Comparison, "looser" | "undecided">): Weakens {
  if (looser === "shown") return "yes";
  return openForGate(undecided).length > 0 ? "unknown" : "no";
}

/** Changes that may let requests through, and that a gate must not pass. */
export function openForGate(undecided: readonly UndecidedChange[]): readonly UndecidedChange[] {
  return undecided.filter(({ direction, isByOrder }) => direction === "looser" && isByOrder !== true);
}

export interface Comparison {
  readonly verdict: CompareVerdict;
  /** Whether enforcement weakens. `weakensOf` says whether a gate may pass. */
  readonly looser: Certainty;
  /** Whether enforcement is stricter for some requests. */
  readonly stricter: Certainty;
  /** At most three, starting with one of each direction. */
  readonly witnesses: readonly CompareWitness[];
  /** Changes that could not be judged, whatever the verdict. */
  readonly undecided: readonly UndecidedChange[];
}

const MOST_WITNESSES = 3;

/** What is known about an edit so far. */
export class Evidence {
  private readonly witnesses: CompareWitness[] = [];
  private readonly open = new Map<string, UndecidedChange>();

  /** Whether a request shows this direction. */
  has(direction: Change): boolean {
    return this.witnesses.some((witness) => shows(witness, [direction]));
  }

  get isFull(): boolean {
    return this.witnesses.length >= MOST_WITNESSES;
  }

  add(witness: CompareWitness): void {
    if (!this.witnesses.some(({ text }) => text === witness.text)) this.witnesses.push(witness);
  }

  /** Notes that a rule may cause this direction: it was neither shown nor ruled out. The first reason for a rule counts. */
  leaveOpen(
    direction: Change,
    place: RulePlace,
    { why = NOT_FOUND, ...more }: Partial<Pick<UndecidedChange, "why" | "decidedBy" | "isHidden" | "isByOrder">> = {},
  ): void {
    const { name: rule, ref } = place;
    const key = `${direction} ${rule}`;
    const known = this.open.get(key);
    if (known === undefined || (known.isByOrder === true && more.isByOrder !== true))
      this.open.set(key, { rule, ref, direction, why, ...more });
  }

  result(): Comparison {
    return {
      verdict: this.verdict(),
      looser: this.certaintyOf("looser"),
      stricter: this.certaintyOf("stricter"),
      witnesses: firstOfEach(this.witnesses),
      undecided: this.undecided(),
    };
  }

  /** What no request shows. */
  private undecided(): readonly UndecidedChange[] {
    return Array.from(this.open.values()).filter(({ direction }) => !this.has(direction));
  }

  private certaintyOf(direction: Change): Certainty {
    if (this.has(direction)) return "shown";
    const open = this.undecided().filter((one) => one.direction === direction);
    if (open.length === 0) return "ruledOut";
    return open.every(({ isByOrder }) => isByOrder === true) ? "momentary" : "undecided";
  }

  private verdict(): CompareVerdict {
    const decided = verdictOf(this.certaintyOf("looser"), this.certaintyOf("stricter"));
    if (decided !== undefined) return decided;
    const other = this.certaintyOf("other");
    return other === "shown" ? "both" : other === "undecided" ? "unknown" : "equivalent";
  }
}

/** The result for rulesets that were compared one by one. */
export function joinComparisons(comparisons: readonly Comparison[]): Comparison {
  const certaintyOf = (direction: "looser" | "stricter"): Certainty => {
    const all = new Set(comparisons.map((one) => one[direction]));
    return CERTAINTIES.find((one) => all.has(one)) ?? "ruledOut";
  };
  const [looser, stricter] = [certaintyOf("looser"), certaintyOf("stricter")];
  const verdicts = new Set(comparisons.map(({ verdict }) => verdict));
  const others: readonly CompareVerdict[] = ["both", "unknown", "equivalent"];
  return {
    verdict: verdictOf(looser, stricter) ?? others.find((verdict) => verdicts.has(verdict)) ?? "equivalent",
    ...{ looser, stricter },
    witnesses: firstOfEach(comparisons.flatMap(({ witnesses }) => witnesses)),
    undecided: comparisons
      .flatMap(({ undecided }) => undecided)
      .filter(({ direction }) => direction === "other" || { looser, stricter }[direction] !== "shown"),
  };
}

/** The first one that holds of a part holds of the whole. */
const CERTAINTIES: readonly Certainty[] = ["shown", "undecided", "momentary"];

/** The verdict by both directions; undefined if both are ruled out. */
function verdictOf(...certainties: readonly [looser: Certainty, stricter: Certainty]): CompareVerdict | undefined {
  const [looser, stricter] = certainties;
  const isKnown = certainties.every((one) => one === "shown" || one === "momentary");
  if (isKnown && certainties.includes("shown")) return "both";
  if (certainties.some((one) => one === "undecided" || one === "momentary")) return "unknown";
  return stricter === "shown" ? "stricter" : looser === "shown" ? "looser" : undefined;
}

/** The first witness of each direction, then others. */
function firstOfEach(all: readonly CompareWitness[]): readonly CompareWitness[] {
  const first = (["looser", "stricter", "other"] as const).flatMap(
    (direction) => all.find((one) => shows(one, [direction])) ?? [],
  );
  return [...new Set([...first, ...all])].slice(0, MOST_WITNESSES);
}

const NOT_FOUND = "no request was found that shows it, and it is not proved that there is none";
