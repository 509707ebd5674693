import { isList, isObject, omit, sameJson, type Json, type JsonObject } from "../model/json.js";

/* What the service may spell otherwise than it was sent, and means the same. */

const SIGNS: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  "#34": '"',
};

/** A description without escapes of HTML, and with single spaces. */
export function plainText(text: string): string {
  const unescaped = text.replace(/&(amp|lt|gt|quot|apos|#39|#34);/g, (all, sign: string) => SIGNS[sign] ?? all);
  return unescaped.replace(/\s+/g, " ").trim();
}

/** Whether two descriptions differ at most in what the service may do to them. */
export function isSameText(one: string, other: string): boolean {
  return one === other || plainText(one) === plainText(other);
}

/** A rule with a plain description, and with overrides in one order wherever their order means nothing. */
export function inOneSpelling(rule: JsonObject): JsonObject {
  const { description, actionParameters } = rule;
  const described = typeof description === "string" ? { ...rule, description: plainText(description) } : rule;
  const overrides = isObject(actionParameters) ? actionParameters.overrides : undefined;
  if (!isObject(actionParameters) || !isObject(overrides)) return described;
  const { rules, categories } = overrides;
  const ordered = {
    ...overrides,
    ...(isList(rules) ? { rules: rules.toSorted(byName("id")) } : {}),
    ...(isList(categories)
      ? { categories: runsOf(categories).flatMap((run) => run.toSorted(byName("category"))) }
      : {}),
  };
  return { ...described, actionParameters: { ...actionParameters, overrides: ordered } };
}

/** Neighbours with the same effect. Of several tags that a rule has, the last one counts, so their order means something. */
function runsOf(categories: readonly Json[]): readonly (readonly Json[])[] {
  const effectOf = (one: Json | undefined): Json | undefined => (isObject(one) ? omit(one, ["category"]) : one);
  return categories.reduce<Json[][]>((runs, one) => {
    const last = runs.at(-1);
    if (last !== undefined && sameJson(effectOf(last[0]), effectOf(one))) last.push(one);
    else runs.push([one]);
    return runs;
  }, []);
}

function byName(key: string): (one: Json, other: Json) => number {
  const nameOf = (item: Json): string => (isObject(item) && typeof item[key] === "string" ? item[key] : "");
  return (one, other) => (nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0);
}
