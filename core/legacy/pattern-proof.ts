import { AnalysisContext } from "../analysis/analysis-context.js";
import { filterOf } from "../analysis/filter.js";
import { not, numberLiteral, type Formula } from "../analysis/formula/formula.js";
import { Translator } from "../analysis/formula/translate.js";
import { anyMatches, anyOf, conditionOf, wildcard, type UrlPattern } from "./pattern.js";

/** A path begins with a slash, also in a URL that was written without one. */
const OF_EVERY_URL = 'starts_with(http.request.uri, "/")';

/** Proves what URL patterns and their conditions mean, without the code that converts them. */
export class PatternProver {
  private readonly context: AnalysisContext;
  private readonly translator: Translator;

  constructor(steps: number) {
    this.context = new AnalysisContext(steps);
    this.translator = new Translator(this.context.terms);
    this.context.assume(this.formulaOf(OF_EVERY_URL));
  }

  /** Whether the condition of a pattern is true of the URLs that match it as a whole, and of no others. */
  isMeant(pattern: UrlPattern): boolean {
    const [written, plain] = [conditionOf(pattern), plainCondition(pattern)];
    if (written === plain) return true;
    const [one, other] = [this.formulaOf(written), this.formulaOf(plain)];
    return this.context.isImpossible(one, not(other)) && this.context.isImpossible(other, not(one));
  }

  /** Whether a pattern means the same in a regular expression. One for several patterns has those of each as alternatives. */
  isMatched(pattern: UrlPattern): boolean {
    const [written, plain] = [this.formulaOf(anyMatches([pattern])), this.formulaOf(plainCondition(pattern))];
    return this.context.isImpossible(written, not(plain)) && this.context.isImpossible(plain, not(written));
  }

  /** Whether no URL matches both. */
  areApart(one: UrlPattern, other: UrlPattern): boolean {
    if (one.scheme !== undefined && other.scheme !== undefined && one.scheme !== other.scheme) return true;
    const isClear = one.globs.every((glob) => other.globs.every((against) => differ(glob, against)));
    return (
      isClear || this.context.isImpossible(this.formulaOf(plainCondition(one)), this.formulaOf(plainCondition(other)))
    );
  }

  /** Whether every URL that matches one pattern matches the other. */
  isWithin(narrow: UrlPattern, wide: UrlPattern): boolean {
    return this.context.isImpossible(this.formulaOf(plainCondition(narrow)), not(this.formulaOf(plainCondition(wide))));
  }

  private formulaOf(text: string): Formula {
    const condition = filterOf(text);
    // Nothing is proved of what cannot be read.
    if (condition === undefined) return numberLiteral(this.context.terms.opaque(text), [[1n, 1n]]);
    return this.translator.translate(condition);
  }
}

/** A pattern as tests of the whole URL. */
function plainCondition({ scheme, globs }: UrlPattern): string {
  const schemes = scheme === undefined ? ["http", "https"] : [scheme];
  return anyOf(globs.flatMap((glob) => schemes.map((one) => wildcard("full_uri", `${one}://${glob}`))));
}

/** Whether the texts before the first asterisks, or those after the last ones, contradict each other. */
function differ(one: string, other: string): boolean {
  const [[head = ""], [against = ""]] = [one.split("*"), other.split("*")];
  const [tail = "", end = ""] = [one.split("*").at(-1), other.split("*").at(-1)];
  return !(head.startsWith(against) || against.startsWith(head)) || !(tail.endsWith(end) || end.endsWith(tail));
}
