import { offsetsOf, type Steps, type TextDocument, type WrittenScalar } from "../../provider/files/text-document.js";
import type { CheckOptions, Span } from "../../language/index.js";
import { spanInDocument, type Edit, type Embedded } from "./embedded.js";
import { optionsAt } from "./slots.js";

/** The expressions of a document of rules, in its order. */
export function expressionsOfRules(document: TextDocument, source: string): readonly Embedded[] {
  const phases = phasesIn(document);
  return embeddedWhere(document, source, ({ steps }) => {
    const options = optionsAt(steps.filter((step) => typeof step === "string"));
    const phase = options === undefined ? undefined : phases.get(keyOf(steps.slice(0, steps.lastIndexOf("rules"))));
    return phase === undefined ? options : { ...options, phase };
  });
}

/** Invariants are about requests, as rules of the firewall see them. */
const REQUESTS: CheckOptions = { slot: "filter", strict: true, phase: "http_request_firewall_custom" };

/** The filters of a file of invariants, in its order. */
export function expressionsOfInvariants(document: TextDocument, source: string): readonly Embedded[] {
  return embeddedWhere(document, source, ({ steps }) =>
    steps.length === 3 && steps[0] === "invariants" && steps[2] === "requests" ? REQUESTS : undefined,
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
    change: (part, instead) => changeOf(scalar, embedded, part, instead),
  };
  return embedded;
}

function changeOf(scalar: WrittenScalar, embedded: Embedded, part: Span, instead: string): Edit {
  const whole = embedded.text.slice(0, part.start) + instead + embedded.text.slice(part.end);
  const span = spanInDocument(embedded, part);
  switch (scalar.notation) {
    case "double":
      return { span, text: JSON.stringify(instead).slice(1, -1) };
    case "single":
      return { span, text: instead.replaceAll("'", "''") };
    case "block":
      return { span, text: instead };
    case "plain":
      return isPlain(whole, embedded.text)
        ? { span, text: instead }
        : { span: embedded.span, text: JSON.stringify(whole) };
  }
}

/** Whether a text can stay without quotes. Braces and commas can where there are some already, or where there were none. */
function isPlain(text: string, before: string): boolean {
  if (!/^[A-Za-z(]/.test(text) || /\n|: | #|:$/.test(text)) return false;
  return !/[[\]{},]/.test(text) || /[[\]{},]/.test(before);
}
