import { createRequire } from "node:module";
import { isObject, mapFrom, omit, stableText, type JsonObject } from "../model/json.js";
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

/** Up to so many entries, the engine shows single ones that differ, and a state can be read. */
const MOST_ENTRIES = 100;

/** The properties that inputs and states hold packed. */
export function packedNames(properties: Properties): readonly string[] {
  return Object.keys(properties).filter((name) => properties[name]?.packed === true);
}

/** Inputs or a state with the named properties packed, if they are large. */
export function withPacked(props: JsonObject, names: readonly string[]): JsonObject {
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
    [PACKED]: Object.fromEntries(large.map(({ name, value }) => [name, loadText().packedText(value)])),
  };
}

/** The opposite of `withPacked`. Anything else stays as it is; what is not a packed value is missing, and the state cannot be read. */
export function withoutPacked<P extends Props>(props: P): P {
  const { [PACKED]: held } = props as JsonObject;
  if (!isObject(held)) return props;
  const values = Object.entries(held).map(
    ([name, text]) => [name, typeof text === "string" ? loadText().mapOfText(text) : undefined] as const,
  );
  return { ...omit(props, [PACKED]), ...mapFrom(values) } as P;
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
