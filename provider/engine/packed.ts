import { createRequire } from "node:module";
import type { Items } from "../lists/item.js";
import { isObject, mapFrom, omit, stableText, textOf, type Json, type JsonObject } from "../model/json.js";
import { plural } from "../model/words.js";
import { PACKED, type Properties } from "./description.js";
import type { Props } from "./lifecycle.js";

/*
 * A map of thousands of entries would stand in a state twice, in inputs and outputs, and in every preview of the engine. A property
 * that a description marks `packed` is held in another form once it is large: in its place the number of its entries and a
 * fingerprint, which people see, and the compressed entries in an internal property, which the engine neither shows nor compares.
 */

const load = createRequire(__filename);
/** Only where something is large. */
const loadCrypto = () => load("node:crypto") as typeof import("node:crypto");
const loadText = () => load("./packed-text.js") as typeof import("./packed-text.js");
const loadDigests = () => load("./digest-text.js") as typeof import("./digest-text.js");

/** Up to so many entries, the engine shows single ones that differ, and a state can be read. */
const MOST_ENTRIES = 100;

/** The properties that inputs and states hold packed. */
export function packedNames(properties: Properties): readonly string[] {
  return Object.keys(properties).filter((name) => properties[name]?.packed === true);
}

/** The packed properties of which a state holds digests where two copies would be larger than the text: inputs have the same. */
export function digestedNames(properties: Properties, state: Props): readonly string[] {
  return packedNames(properties).filter((name) => properties[name]?.digested?.(state) === true);
}

/** Which properties of a state are held as digests. */
export interface Digested {
  /** Those of which the inputs beside it have the same value. */
  readonly names: readonly string[];
  /** The state that this continues, whose digests stay where nothing has changed. */
  readonly before: Props;
  /** 16 random bytes in hex. */
  readonly newSalt: () => string;
}

/** Inputs or a state with the named properties packed, if they are large. */
export function withPacked(props: JsonObject, names: readonly string[], digested?: Digested): JsonObject {
  const large = names.flatMap((name) => {
    const value = props[name];
    if (!isObject(value)) return [];
    const entries = Object.keys(value).length;
    return entries > MOST_ENTRIES ? [{ name, entries, value, text: stableText(value) }] : [];
  });
  if (large.length === 0) return props;
  return {
    ...props,
    ...Object.fromEntries(large.map(({ name, entries, text }) => [name, fingerprint(entries, text)])),
    [PACKED]: Object.fromEntries(
      large.map(({ name, value }) => [
        name,
        digested?.names.includes(name) === true ? textOnce(name, value, digested) : loadText().packedText(value),
      ]),
    ),
  };
}

/** Digests where they and the packed text take less than two packed texts, which are more than the text itself. */
function textOnce(name: string, value: JsonObject, { before, newSalt }: Digested): string {
  const packed = loadText().packedText(value);
  if (2 * packed.length <= plainLength(value)) return packed;
  const { [PACKED]: held } = before as JsonObject;
  const digests = loadDigests().digestText(value as Items, newSalt(), isObject(held) ? held[name] : undefined);
  return digests !== undefined && digests.length < packed.length ? digests : packed;
}

/** The length of the entries as lines of text. */
function plainLength(value: JsonObject): number {
  return Object.entries(value).reduce((sum, [key, one]) => sum + key.length + textLength(one) + 1, 0);
}

function textLength(value: Json | undefined): number {
  if (isObject(value)) return Object.values(value).reduce<number>((sum, one) => sum + textLength(one), 0);
  if (typeof value === "string") return value === "" ? 0 : value.length + 1;
  return stableText(value).length + 1;
}

/**
 * The opposite of `withPacked`. Anything else stays as it is; what is not a packed value, or another one, is missing, and the state cannot be
 * read.
 * @param beside the inputs of a state, which may have the values of its digests
 */
export function withoutPacked<P extends Props>(props: P, beside: Props = {}): P {
  const { [PACKED]: held } = props as JsonObject;
  if (!isObject(held)) return props;
  const { [PACKED]: others } = beside as JsonObject;
  const values = Object.entries(held).map(([name, text]) => {
    if (typeof text !== "string") return [name, undefined] as const;
    const isDigested = loadDigests().isDigestText(text);
    const isBeside = isDigested && isObject(others) && props[name] === beside[name];
    const packed = isBeside ? textOf(others[name]) : text;
    const value = loadText().mapOfText(packed);
    if (isDigested && !isBeside) return [name, value] as const;
    return [name, isUndamaged(packed, props[name], value) ? value : undefined] as const;
  });
  return { ...omit(props, [PACKED]), ...mapFrom(values) } as P;
}

/** Texts with the fingerprints of their values: the calls of a run pass the same ones again. */
const undamaged = new Map<string, unknown>();
const MOST_TEXTS = 8;

/** Whether the value of a text has the fingerprint that stands in its place. */
function isUndamaged(text: string, shown: unknown, value: unknown): boolean {
  if (undamaged.has(text) && undamaged.get(text) === shown) return true;
  if (!isFingerprintOf(shown, value)) return false;
  if (undamaged.size >= MOST_TEXTS) undamaged.clear();
  undamaged.set(text, shown);
  return true;
}

/** Whether a value is what inputs have in the place of a packed one. */
export function isFingerprintOf(text: unknown, value: unknown): boolean {
  if (typeof text !== "string" || !isObject(value)) return false;
  return text === fingerprint(Object.keys(value).length, stableText(value));
}

/** `10000 items, 3f2a9c1e05b7d8f4`: the same for equal values, in whatever order. */
function fingerprint(entries: number, text: string): string {
  const digest = loadCrypto().createHash("sha256").update(text).digest("hex");
  return `${plural(entries, "item")}, ${digest.slice(0, 16)}`;
}
