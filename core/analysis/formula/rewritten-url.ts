import type { FieldOperand, Operand } from "../../language/ast.js";
import { isOperand } from "../../language/ast.js";
import { printOperand } from "../../language/print/index.js";
import type { Bytes } from "../../language/value.js";
import * as read from "../relations/projection.js";
import type { TextBase } from "../text/automaton.js";
import { oneOf } from "../text/literals.js";
import { ofRewritten, ofRewrittenUri, rewrittenText } from "../text/preimages.js";
import type { Fields, KnownRewrites } from "./fields.js";
import { and, FALSE, not, or, TRUE, type Formula } from "./formula.js";
import { joinedFormula, type Piece } from "./joined.js";

/** A part of a URL that rules can rewrite. */
export type UrlPart = "path" | "query";

/** What a part of a URL becomes, and when; the cases exclude each other. */
export interface RewriteCase {
  readonly when: Formula;
  /** Undefined if it stays as it is. */
  readonly value: Bytes | Operand | undefined;
}

/** That the value of an operand is in a set, for the request before the rewrites; a missing value counts as empty. */
type IsOperandIn = (operand: Operand, base: TextBase) => Formula | undefined;

const FIELDS: Readonly<Record<string, readonly UrlPart[]>> = {
  "http.request.uri.path": ["path"],
  "http.request.uri.path.extension": ["path"],
  "http.request.uri.path.basename": ["path"],
  "http.request.uri.query": ["query"],
  "http.request.uri": ["path", "query"],
  "http.request.full_uri": ["path", "query"],
};

/** An empty query leaves no `?`. */
const EMPTY = oneOf(new Set([""]));

/** The rewritten forms of both parts; undefined if no rule rewrites a part. */
interface UrlCases {
  readonly cases: Readonly<Partial<Record<UrlPart, readonly RewriteCase[]>>>;
  readonly isQueryKnown: boolean;
}

/** The fields of a URL after rules have rewritten its path or its query. */
export class RewrittenUrl implements KnownRewrites {
  private readonly cases: UrlCases["cases"];
  private readonly isQueryKnown: boolean;

  constructor(
    readonly before: Fields,
    { cases, isQueryKnown }: UrlCases,
    private readonly isOperandIn: IsOperandIn,
  ) {
    this.cases = cases;
    this.isQueryKnown = isQueryKnown;
  }

  has(name: string): boolean {
    const parts = FIELDS[name] ?? [];
    return parts.some((part) => this.cases[part] !== undefined) && (this.isQueryKnown || !parts.includes("query"));
  }

  isIn(name: string, base: TextBase): Formula | undefined {
    switch (name) {
      case "http.request.uri.path":
        return this.partIsIn("path", base, fieldNamed(name));
      case "http.request.uri.path.extension":
        return this.partIsIn("path", read.ofProjection(read.EXTENSION_OF_PATH, base), fieldNamed(name), base);
      case "http.request.uri.path.basename":
        return this.partIsIn("path", read.ofProjection(read.BASENAME_OF_PATH, base), fieldNamed(name), base);
      case "http.request.uri.query":
        return this.partIsIn("query", base, fieldNamed(name));
      case "http.request.uri":
      case "http.request.full_uri":
        return this.wholeIsIn(fieldNamed(name), base);
      default:
        return undefined;
    }
  }

  /** @param own the set for a field that is made of the part, where that stays as it is */
  private partIsIn(part: UrlPart, base: TextBase, field: FieldOperand, own = base): Formula | undefined {
    return either(
      (this.cases[part] ?? []).map(({ when, value }) => {
        const isIn = value === undefined ? this.isOperandIn(field, own) : joinedFormula(this.pieces(part, value), base);
        return isIn === undefined ? undefined : and([when, isIn]);
      }),
    );
  }

  private wholeIsIn(whole: FieldOperand, base: TextBase): Formula | undefined {
    const { path = [UNCHANGED], query = [UNCHANGED] } = this.cases;
    return either(
      path.flatMap((one) =>
        query.map((other) => {
          const isIn =
            one.value === undefined && other.value === undefined
              ? this.isOperandIn(whole, base)
              : this.composedIsIn(whole, [one.value, other.value], base);
          return isIn === undefined ? undefined : and([one.when, other.when, isIn]);
        }),
      ),
    );
  }

  private composedIsIn(
    whole: FieldOperand,
    [path, query]: readonly RewriteCase["value"][],
    base: TextBase,
  ): Formula | undefined {
    const of =
      (projection: read.Projection): Piece =>
      (set) =>
        this.isOperandIn(whole, read.ofProjection(projection, set));
    const isFull = whole.name === "http.request.full_uri";
    const begin: readonly Piece[] = isFull ? [of(read.ORIGIN_OF_URL)] : [];
    const pieces = path === undefined ? [this.field(PATH)] : this.pieces("path", path);
    const onPath = [...begin, ...pieces];
    if (query === undefined) {
      // The path as it was, and the query: the URI as it was.
      const isLastKept = path !== undefined && typeof path !== "string" && pieces.length > 1 && endsWithPath(path);
      const uri: Piece = (set) => {
        const rewritten = ofRewrittenUri(set);
        return this.isOperandIn(whole, isFull ? read.ofProjection(read.URI_OF_URL, rewritten) : rewritten);
      };
      const all = isLastKept ? [...onPath.slice(0, -1), uri] : [...onPath, of(read.SEARCH_OF_URI)];
      return joinedFormula(all, base);
    }
    const own = this.pieces("query", query);
    const isEmpty = joinedFormula(own, EMPTY);
    const [without, withQuery] = [joinedFormula(onPath, base), joinedFormula([...onPath, "?", ...own], base)];
    if (isEmpty === undefined || without === undefined || withQuery === undefined) return undefined;
    return or([and([isEmpty, without]), and([not(isEmpty), withQuery])]);
  }

  private field(name: string): Piece {
    return (base) => this.isOperandIn(fieldNamed(name), base);
  }

  /** What a rewrite makes of its value, in pieces: each byte is encoded by itself. */
  private pieces(part: UrlPart, value: Bytes | Operand): readonly Piece[] {
    if (typeof value === "string") return [rewrittenText(part, value)];
    const args = value.kind === "call" && value.name === "concat" && value.path.length === 0 ? value.args : [];
    const [first] = args;
    if (first?.kind !== "string" || first.value === "") return [this.piece(part, value)];
    const parts = args.map((argument, at) => {
      const mode = at === 0 ? part : "query";
      return argument.kind === "string"
        ? rewrittenText(mode, argument.value)
        : isOperand(argument)
          ? this.piece(mode, argument)
          : undefined;
    });
    return parts.every((one) => one !== undefined) ? parts : [this.piece(part, value)];
  }

  private piece(part: UrlPart, value: Operand): Piece {
    const preimage = ofRewritten(part);
    return (base) => this.isOperandIn(value, preimage(base));
  }
}

/** Whether a value is `concat("…", http.request.uri.path)`. */
function endsWithPath(value: Operand): boolean {
  const last = value.kind === "call" ? value.args.at(-1) : undefined;
  return last?.kind === "field" && last.path.length === 0 && last.name === PATH;
}

const PATH = "http.request.uri.path";

const UNCHANGED: RewriteCase = { when: TRUE, value: undefined };

function either(ways: readonly (Formula | undefined)[]): Formula | undefined {
  return ways.every((way) => way !== undefined) ? or(ways) : undefined;
}

/** A plain field of type String. */
export function fieldNamed(name: string): FieldOperand {
  return { kind: "field", name, path: [], mapped: false, type: { kind: "string" }, span: NOWHERE, nameSpan: NOWHERE };
}

const NOWHERE = { start: 0, end: 0 };

/**
 * That what two rewrites make of a part of a URL differs, or may differ.
 * @param isOperandIn for the request before the rewrites
 */
export function mayDiffer(
  part: UrlPart,
  [one, other]: readonly [RewriteCase["value"], RewriteCase["value"]],
  isOperandIn: IsOperandIn,
): Formula {
  const [text, value] = typeof one === "string" ? [one, other] : [other, one];
  if (typeof text !== "string") return isSame(text, value) ? FALSE : TRUE;
  const written = rewrittenText(part, text);
  if (typeof value === "string") return rewrittenText(part, value) === written ? FALSE : TRUE;
  const base = oneOf(new Set([written]));
  const [operand, set] =
    value === undefined ? [fieldNamed(`http.request.uri.${part}`), base] : [value, ofRewritten(part)(base)];
  const isEqual = isOperandIn(operand, set);
  return isEqual === undefined ? TRUE : not(isEqual);
}

function isSame(one: Operand | undefined, other: RewriteCase["value"]): boolean {
  if (one === undefined || other === undefined) return one === other;
  return typeof other !== "string" && printOperand(one) === printOperand(other);
}
