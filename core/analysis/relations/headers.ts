import { and, not, or, type Choice, type ElementSet, type Formula } from "../formula/formula.js";
import type { ArrayTerm, Term, TextTerm } from "../formula/term.js";
import type { ModelValue } from "../solve/model.js";
import type { TextBase } from "../text/automaton.js";
import { containing, oneOf } from "../text/literals.js";
import type { ElementTests } from "./arrays.js";
import type { Tests } from "./urls.js";

/** The fields that show a header as one text, and its values in the map of all headers. */
export const HEADER_FIELDS: ReadonlyMap<string, string> = new Map([
  ["http.host", "host"],
  ["http.user_agent", "user-agent"],
  ["http.referer", "referer"],
  ["http.cookie", "cookie"],
  ["http.x_forwarded_for", "x-forwarded-for"],
]);

const keyOf = (header: string): string => `http.request.headers["${header}"]`;
const separatorOf = (header: string): string => (header === "cookie" ? "; " : ", ");

/** The key of the other form of each header. */
const PARTNERS: ReadonlyMap<string, string> = new Map(
  Array.from(HEADER_FIELDS).flatMap(([field, header]) => [
    [field, keyOf(header)],
    [keyOf(header), field],
  ]),
);

const EMPTY = oneOf(new Set([""]));

/**
 * What is known about a header and the field made from it: the field joins the values of the header, so without a separator in
 * it there is one value. Only headers as they were sent, and if Cloudflare did not leave out any because there were too many.
 */
export class Headers {
  constructor(private readonly find: (key: string) => Term | undefined) {}

  /** Whether conditions know both forms of the header of one of the terms. */
  areLinked(terms: Iterable<Term>): boolean {
    return Array.from(terms).some(({ key }) => PARTNERS.has(key) && this.find(PARTNERS.get(key) ?? "") !== undefined);
  }

  /** What is known about the headers of which both forms are tested. */
  about(tests: Tests, elements: ElementTests): readonly Formula[] {
    return this.pairs().flatMap(({ header, text, values }) => {
      if (!tests.has(text)) return [];
      const single = Array.from(tests).flatMap(([{ parent }, own]) => (parent === values ? Array.from(own) : []));
      const bases = new Set([...(tests.get(text) ?? []), ...basesIn(elements.get(values) ?? []), ...single]);
      return axiomsOf(text, values, { header, bases });
    });
  }

  /** Gives the form of a header that no condition tests the value that follows from the other one. */
  complete(values: Map<Term, ModelValue>, tests: Tests): void {
    for (const { header, text, values: all } of this.pairs()) {
      const [one, many] = [values.get(text), values.get(all)];
      if (!tests.has(all) && tests.has(text))
        values.set(all, typeof one === "string" && one !== "" ? [one] : undefined);
      else if (!tests.has(text) && typeof many === "object" && many.length > 0)
        values.set(text, many.map(String).join(separatorOf(header)));
    }
  }

  private pairs(): readonly { readonly header: string; readonly text: TextTerm; readonly values: ArrayTerm }[] {
    return Array.from(HEADER_FIELDS).flatMap(([field, header]) => {
      const [text, values] = [this.find(field), this.find(keyOf(header))];
      return text?.kind === "text" && values?.kind === "array" ? [{ header, text, values }] : [];
    });
  }
}

function axiomsOf(
  text: TextTerm,
  values: ArrayTerm,
  { header, bases }: { readonly header: string; readonly bases: ReadonlySet<TextBase> },
): readonly Formula[] {
  const is = (base: TextBase, positive = true): Formula => ({
    ...{ kind: "text", term: text, clause: [{ base, positive }], nil: false },
  });
  const every = (...clause: readonly Choice[]): Formula => ({
    ...{ kind: "every", term: values, set: { kind: "text", clauses: [clause] } },
  });
  const isEmpty = { base: EMPTY, positive: true };
  // A host that no header names is known by other means.
  const isHost = header === "host";
  const isSingle = and([is(EMPTY, false), is(containing(separatorOf(header)), false)]);
  const missing: readonly Formula[] = [
    or([is(EMPTY), { kind: "present", term: values, yes: true }]),
    or([is(EMPTY), not(every(isEmpty))]),
    or([is(EMPTY, false), every(isEmpty)]),
  ];
  return [
    ...(isHost ? [] : missing),
    ...Array.from(bases, (base) => {
      const same = (positive: boolean): Formula =>
        and([is(base, positive), every({ base, positive }, ...(isHost ? [isEmpty] : []))]);
      return or([not(isSingle), same(true), same(false)]);
    }),
  ];
}

function basesIn(sets: readonly ElementSet[]): readonly TextBase[] {
  return sets.flatMap((set) =>
    set.kind === "text" ? set.clauses.flatMap((clause) => clause.map(({ base }) => base)) : [],
  );
}
