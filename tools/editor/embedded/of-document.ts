import { offsetsOf, type Steps, type TextDocument, type WrittenScalar } from "../../rules-files/text/text-document.js";
import { REQUESTS } from "../../../core/invariants/requests.js";
import { PLANS, type CheckOptions, type Plan, type Span } from "../../../core/language/index.js";
import { offsetInExpression, spanInDocument, type Edit, type Embedded } from "./embedded.js";
import { hunksBetween } from "./hunks.js";
import { optionsAt } from "./slots.js";
import { fillIn, type Unit } from "./stand-in.js";

/** The expressions of a document of rules, in its order. */
export function expressionsOfRules(document: TextDocument, source: string): readonly Embedded[] {
  const phases = phasesIn(document);
  return embeddedWhere(document, source, ({ steps }) => {
    const options = optionsAt(steps.filter((step) => typeof step === "string"));
    const holder = Math.max(steps.lastIndexOf("rules"), steps.lastIndexOf("rule"));
    if (options === undefined || holder < 0) return options;
    const phase = phases.get(keyOf(steps.slice(0, holder)));
    return phase === undefined ? options : { ...options, phase };
  });
}

/** The expressions of a Pulumi program in YAML, which inserts values as `${…}`. */
export function expressionsOfYamlProgram(document: TextDocument, source: string): readonly Embedded[] {
  return expressionsOfRules(document, source).map((embedded) => {
    if (!/\$[{$]/.test(embedded.text)) return embedded;
    const { text, offsets, inserted } = fillIn(unitsOf(embedded), embedded.span.end);
    const asWritten = (at: number): number => offsetInExpression(embedded, offsets[at] ?? embedded.span.end) ?? 0;
    const change: Embedded["change"] = ({ start, end }, instead) =>
      embedded.change({ start: asWritten(start), end: asWritten(end) }, instead.replace(/\$(?=[{$])/g, "$$$$"));
    return { ...embedded, text, inserted, offsets: () => offsets, change };
  });
}

/** What is inserted, or a dollar sign, which is written twice. */
const INSERTED = /\$\{[^}]*\}|\$\$/y;

function* unitsOf({ text, offsets }: Embedded): Generator<Unit> {
  const all = offsets();
  for (let at = 0; at < text.length;) {
    INSERTED.lastIndex = at;
    const end = at + (INSERTED.exec(text)?.[0].length ?? 0);
    const start = all[at] ?? 0;
    const isSign = text.startsWith("$$", at);
    if (end > at && !isSign) yield { inserted: { start, end: all[end] ?? start }, behind: text.slice(end, end + 20) };
    else yield { at: start, value: text[at] ?? "" };
    at = Math.max(end, at + 1);
  }
}

/** The filters of a file of invariants, in its order, for the plan that includes least of those that each chooses zones by. */
export function expressionsOfInvariants(document: TextDocument, source: string): readonly Embedded[] {
  const plans = lowestPlans(document);
  return embeddedWhere(document, source, ({ steps }) => {
    const [list, index, name] = steps;
    if (steps.length !== 3 || list !== "invariants" || name !== "requests") return undefined;
    const plan = plans.get(index);
    return plan === undefined ? REQUESTS : { ...REQUESTS, plan };
  });
}

/** The lowest of the plans that each invariant names, one or a list, by its index. */
function lowestPlans({ scalars }: TextDocument): ReadonlyMap<unknown, Plan> {
  const named = scalars.filter(
    ({ steps: [list, , zones, plan, ...more], isKey }) =>
      !isKey && list === "invariants" && zones === "zones" && plan === "plan" && more.length <= 1,
  );
  // The last one counts.
  return new Map(
    PLANS.toReversed().flatMap((plan) =>
      named.flatMap(({ steps: [, index], value }) => (value === plan ? [[index, plan] as const] : [])),
    ),
  );
}

/** The phase of each ruleset, by the steps to it. */
function phasesIn({ scalars }: TextDocument): ReadonlyMap<string, string> {
  return new Map(
    scalars.flatMap(({ steps, isKey, value }) =>
      !isKey && steps.at(-1) === "phase" && typeof value === "string" ? [[keyOf(steps.slice(0, -1)), value]] : [],
    ),
  );
}

function keyOf(steps: Steps): string {
  return JSON.stringify(steps);
}

function embeddedWhere(
  { scalars }: TextDocument,
  source: string,
  optionsOf: (scalar: WrittenScalar) => CheckOptions | undefined,
): readonly Embedded[] {
  return scalars.flatMap((scalar) => {
    if (scalar.isKey || (typeof scalar.value !== "string" && scalar.value !== null)) return [];
    const options = optionsOf(scalar);
    return options === undefined ? [] : [embeddedIn(source, scalar, options)];
  });
}

/** An expression that is a scalar of a document. */
export function embeddedIn(source: string, scalar: WrittenScalar, options: CheckOptions): Embedded {
  const text = typeof scalar.value === "string" ? scalar.value : "";
  const quotes = scalar.notation === "double" || scalar.notation === "single" ? 1 : 0;
  let offsets: readonly number[] | undefined;
  const embedded: Embedded = {
    text,
    span: { start: scalar.start + quotes, end: scalar.end - quotes },
    options,
    inserted: [],
    offsets: () => (offsets ??= offsetsOf(source, { ...scalar, value: text })),
    ...(quotes === 0 ? { lineBreak: lineBreakAt(source, scalar) } : {}),
    change: (part, instead) => changeOf(source, scalar, embedded, part, instead),
  };
  return embedded;
}

function changeOf(source: string, scalar: WrittenScalar, embedded: Embedded, part: Span, instead: string): Edit {
  const whole = embedded.text.slice(0, part.start) + instead + embedded.text.slice(part.end);
  if (scalar.notation === "plain" && !isPlain(inOneLine(whole), embedded.text))
    return { span: embedded.span, text: JSON.stringify(inOneLine(whole)) };
  return {
    span: spanInDocument(embedded, part),
    text: rewritten(source, embedded, part, instead, ENCODED[scalar.notation]),
  };
}

/** What stays keeps its line breaks and escapes. */
function rewritten(
  source: string,
  embedded: Embedded,
  part: Span,
  instead: string,
  encode: (text: string) => string,
): string {
  const hunks = hunksBetween(embedded.text.slice(part.start, part.end), instead);
  let [text, from] = ["", spanInDocument(embedded, part).start];
  for (const hunk of hunks) {
    const span = spanInDocument(embedded, { start: part.start + hunk.start, end: part.start + hunk.end });
    text += source.slice(from, span.start) + encode(hunk.text);
    from = span.end;
  }
  return text + source.slice(from, spanInDocument(embedded, part).end);
}

const ENCODED: Readonly<Record<WrittenScalar["notation"], (text: string) => string>> = {
  double: (text) => JSON.stringify(text).slice(1, -1),
  single: (text) => text.replaceAll("'", "''"),
  block: (text) => text,
  plain: (text) => text,
};

/** A block continues where its first line begins, and any other text two columns after the line that it begins in. */
function lineBreakAt(source: string, { notation, start }: WrittenScalar): string {
  const line = notation === "block" ? source.indexOf("\n", start) + 1 : source.lastIndexOf("\n", start - 1) + 1;
  const [indent = ""] = /^ *(?:- )*/.exec(source.slice(line, start + 200)) ?? [];
  return `\n${" ".repeat(indent.length + (notation === "block" ? 0 : 2))}`;
}

function inOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ");
}

/** Whether a text can stay without quotes. Braces and commas can where there are some already, or where there were none. */
function isPlain(text: string, before: string): boolean {
  if (!/^[A-Za-z(]/.test(text) || /\n|: | #|:$/.test(text)) return false;
  return !/[[\]{},]/.test(text) || /[[\]{},]/.test(before);
}
