import type { CompiledExpression, Context } from "../language/index.js";
import type { Condition } from "../language/ast.js";
import { stringsOf } from "../language/members-of-set.js";

/**
 * The filters of rules that see the same requests, in one version of a program or in two. Most of them match no request, so they are
 * evaluated together, once for each request, and only the rules of the others are run.
 */
export class Screen {
  private readonly filters: CompiledExpression[] = [];
  private readonly numbers = new Map<CompiledExpression, number>();
  private plan: Plan | undefined;
  private last: Context | undefined;
  private hits: readonly number[] = [];

  /** The number of a filter. */
  add(filter: CompiledExpression): number {
    const known = this.numbers.get(filter);
    if (known !== undefined) return known;
    this.numbers.set(filter, this.filters.length);
    this.plan = undefined;
    this.last = undefined;
    return this.filters.push(filter) - 1;
  }

  /** The numbers of the filters that match a request, or may, in any order. */
  hitsOf(request: Context): readonly number[] {
    if (request === this.last) return this.hits;
    const { others, byField } = (this.plan ??= planOf(this.filters));
    const hits: number[] = [];
    this.evaluate(others, request, hits);
    for (const { field, all, byText } of byField) {
      const value = request.field(field);
      this.evaluate((typeof value === "string" ? byText.get(value) : all) ?? NONE, request, hits);
    }
    this.last = request;
    return (this.hits = hits);
  }

  private evaluate(numbers: readonly number[], request: Context, hits: number[]): void {
    for (const number of numbers) {
      if (this.filters[number]?.evaluate(request).value !== false) hits.push(number);
    }
  }
}

/** Which filters to evaluate for a request. */
interface Plan {
  readonly others: readonly number[];
  readonly byField: readonly FieldPlan[];
}

/** Filters that match only if a field has one of some texts. */
interface FieldPlan {
  readonly field: string;
  readonly all: number[];
  readonly byText: Map<string, number[]>;
}

function planOf(filters: readonly CompiledExpression[]): Plan {
  const needed = filters.map(({ expression }) => neededTexts(expression.condition));
  const counts = new Map<string, number>();
  const keyOf = (field: string, text: string): string => `${field} ${text}`;
  for (const { field, texts } of needed.flat())
    for (const text of texts) counts.set(keyOf(field, text), (counts.get(keyOf(field, text)) ?? 0) + 1);
  /** How many filters need the same texts: the fewer, the more a condition tells them apart. */
  const shared = ({ field, texts }: NeededTexts): number =>
    Array.from(texts, (text) => counts.get(keyOf(field, text)) ?? 0).reduce((sum, count) => sum + count, 0);
  const others: number[] = [];
  const byField = new Map<string, FieldPlan>();
  needed.forEach((conditions, number) => {
    const [best] = conditions.toSorted((a, b) => shared(a) - shared(b));
    if (best === undefined) {
      others.push(number);
      return;
    }
    const plan = byField.get(best.field) ?? { field: best.field, all: [], byText: new Map<string, number[]>() };
    byField.set(best.field, plan);
    plan.all.push(number);
    for (const text of best.texts) plan.byText.set(text, [...(plan.byText.get(text) ?? []), number]);
  });
  return { others, byField: Array.from(byField.values()) };
}

interface NeededTexts {
  readonly field: string;
  readonly texts: ReadonlySet<string>;
}

/** Fields that must have one of some texts, if a condition is to match: `http.host eq "a" and …`. */
function neededTexts(condition: Condition): readonly NeededTexts[] {
  if (condition.kind === "group") return neededTexts(condition.of);
  if (condition.kind === "combination") return condition.op === "and" ? condition.items.flatMap(neededTexts) : [];
  if (condition.kind !== "comparison") return [];
  const { left, test } = condition;
  if (left.kind !== "field" || left.path.length > 0 || left.mapped) return [];
  if (test.kind === "order" && test.op === "eq" && test.right.kind === "string")
    return [{ field: left.name, texts: new Set([test.right.value]) }];
  if (test.kind !== "in" || test.right.kind !== "set" || !test.right.items.every(({ kind }) => kind === "string"))
    return [];
  return [{ field: left.name, texts: stringsOf(test.right) }];
}

const NONE: readonly number[] = [];

/** What of a rule decides whether it may do something to a request. */
interface ScreenedRule {
  readonly enabled: boolean;
  readonly expression?: CompiledExpression;
  readonly rateLimit?: object;
}

/** The rules of a ruleset by the filters of a screen. */
export class ScreenedRules {
  /** The positions of the rules with each filter. */
  private readonly byFilter: (readonly number[] | undefined)[] = [];
  /** The positions of the rules that do something to every request: they count it, or nobody knows whether they match. */
  private readonly always: number[] = [];

  constructor(
    rules: readonly ScreenedRule[],
    private readonly screen: Screen,
  ) {
    rules.forEach(({ enabled, expression, rateLimit }, position) => {
      if (!enabled) return;
      if (expression === undefined || rateLimit !== undefined) {
        this.always.push(position);
        return;
      }
      const number = screen.add(expression);
      this.byFilter[number] = [...(this.byFilter[number] ?? []), position];
    });
  }

  /** The positions of the rules that may do something to a request, in order. */
  positionsFor(request: Context): readonly number[] {
    const hits = this.screen.hitsOf(request);
    if (hits.length === 0) return this.always;
    const found = [...this.always];
    for (const number of hits) found.push(...(this.byFilter[number] ?? NONE));
    return found.sort((a, b) => a - b);
  }
}
