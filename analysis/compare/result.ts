import type { HttpRequest, RequestInput } from "../../language/index.js";
import type { Direction, Treatment } from "./treatment.js";

/**
 * `equivalent`: proved that no request is treated differently. `stricter`, `looser`: some requests are stopped more, or less
 * firmly, and it is proved that none are the other way round. `both`: some of each, or requests that are treated differently
 * without being stopped more or less, such as another redirect target. `unknown`: could not be determined, though there may be
 * witnesses.
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
  /** In one line: `GET https://a.example.com/login from 203.0.113.9: allowed → blocked by "Login limits"`. */
  readonly text: string;
}

export interface Comparison {
  readonly verdict: CompareVerdict;
  /** At most three, starting with one of each direction. */
  readonly witnesses: readonly CompareWitness[];
  /** Rules whose change could not be judged. */
  readonly undecided: readonly string[];
}

const MOST_WITNESSES = 3;

/** What is known about an edit so far. */
export class Evidence {
  private readonly witnesses: CompareWitness[] = [];
  private readonly open = new Set<Change>();
  private readonly undecided = new Set<string>();

  /** Whether a request shows this direction. */
  has(direction: Change): boolean {
    return this.witnesses.some((witness) => witness.direction === direction);
  }

  get isFull(): boolean {
    return this.witnesses.length >= MOST_WITNESSES;
  }

  add(witness: CompareWitness): void {
    if (!this.witnesses.some(({ text }) => text === witness.text)) this.witnesses.push(witness);
  }

  /** Notes that a rule may cause this direction: it was neither shown nor ruled out. */
  leaveOpen(direction: Change, rule: string): void {
    this.open.add(direction);
    this.undecided.add(rule);
  }

  result(): Comparison {
    const first = (["looser", "stricter", "other"] as const).flatMap((direction) => {
      return this.witnesses.find((one) => one.direction === direction) ?? [];
    });
    const witnesses = [...first, ...this.witnesses.filter((one) => !first.includes(one))].slice(0, MOST_WITNESSES);
    const verdict = this.verdict();
    return { verdict, witnesses, undecided: verdict === "unknown" ? Array.from(this.undecided) : [] };
  }

  private verdict(): CompareVerdict {
    const [stricter, looser] = [this.has("stricter"), this.has("looser")];
    if (stricter && looser) return "both";
    const isOpen = (direction: Change): boolean => this.open.has(direction) && !this.has(direction);
    if (isOpen("stricter") || isOpen("looser")) return "unknown";
    if (stricter) return "stricter";
    if (looser) return "looser";
    if (this.has("other")) return "both";
    return isOpen("other") ? "unknown" : "equivalent";
  }
}
