import { isList, isObject, mapFrom, omit, sameJson, type Json, type JsonObject } from "../model/json.js";
import { byText } from "./defaults.js";

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

/** A rule with a plain description, without switches that are off by default, and with sets in one order. */
export function inOneSpelling(rule: JsonObject): JsonObject {
  const { description, actionParameters } = rule;
  const described = typeof description === "string" ? { ...rule, description: plainText(description) } : rule;
  return isObject(actionParameters) ? { ...described, actionParameters: partsInOneOrder(actionParameters) } : described;
}

function partsInOneOrder(parts: JsonObject): JsonObject {
  const ordered = Object.entries(parts).map(([name, part]) => [name, inOneOrder(name, part ?? null)] as const);
  return mapFrom(ordered.filter(([name, part]) => !(part === false && OFF.has(name)) && !isEmptyKey(name, part)));
}

/** Switches that are off by default: those of a cache key, and that a directive is for Cloudflare alone. */
const OFF = new Set([
  ...["cacheByDeviceType", "cacheDeceptionArmor", "ignoreQueryStringsOrder", "excludeOrigin"],
  ...["deviceType", "geo", "lang", "resolved", "cloudflareOnly"],
]);

/** A part of a cache key whose switches are all off. */
function isEmptyKey(name: string, part: Json): boolean {
  return /^(customKey|header|user|host)$/.test(name) && isObject(part) && Object.keys(part).length === 0;
}

/** Most lists are sets; a header varies by values in their order, and what is in `wire` is not known. */
function inOneOrder(name: string, value: Json): Json {
  if (name === "vary" || name === "wire") return value;
  if (isObject(value)) return partsInOneOrder(value);
  if (!isList(value)) return value;
  if (name === "categories") return runsOf(value).flatMap((run) => run.toSorted(byName("category")));
  if (name === "rules" && value.every(isObject)) return value.toSorted(byName("id"));
  if (name.endsWith("Fields")) return value.toSorted(byName("name"));
  return value.some(isObject) ? value : value.toSorted(byText);
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
  return (one, other) => byText(isObject(one) ? (one[key] ?? "") : "", isObject(other) ? (other[key] ?? "") : "");
}
