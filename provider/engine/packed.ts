import { createRequire } from "node:module";
import { isObject, mapFrom, omit, stableText, type Json, type JsonObject } from "../model/json.js";
import { UNKNOWN } from "../model/unknown.js";
import { plural } from "../model/words.js";
import { PACKED, type Properties } from "./description.js";
import type { Props } from "./lifecycle.js";

/*
 * A map of thousands of entries would stand in a state twice, in inputs and outputs, and in every preview of the engine. A property
 * that a description marks `packed` is held in another form once it is large: in its place the number of its entries and a
 * fingerprint, which people see, and the compressed entries in an internal property, which the engine neither shows nor compares.
 * Where two texts would be larger than the entries, only the outputs of a state have one: every call about an object gets them, and the
 * process that has checked inputs knows what their fingerprints stand for.
 */

const load = createRequire(__filename);
/** Only where something is large. */
const loadCrypto = () => load("node:crypto") as typeof import("node:crypto");
const loadText = () => load("./packed-text.js") as typeof import("./packed-text.js");

/** Up to so many entries, the engine shows single ones that differ, and a state can be read. */
const MOST_ENTRIES = 100;

/** The names, the quotes and the fingerprint around a text. */
const AROUND = 100;

/** The properties that inputs and states hold packed. */
export function packedNames(properties: Properties): readonly string[] {
  return Object.keys(properties).filter((name) => properties[name]?.packed === true);
}

/** Large values of a run, by their fingerprints. */
export class LargeValues {
  private readonly known = new Map<unknown, JsonObject>();

  /** A state with the named properties packed, if they are large. */
  packed(props: JsonObject, names: readonly string[]): JsonObject {
    return withTexts(
      props,
      this.largeIn(props, names).map((one) => ({ ...one, text: loadText().packedText(one.value) })),
    );
  }

  /**
   * The same for inputs, with fingerprints alone where a second text would be more than the entries are as lines: the state has it.
   * @param before the inputs that these follow: of a value that stays, they have what they had
   * @param isShown whether somebody reads these inputs, before a state has the value
   */
  packedInputs(
    props: JsonObject,
    names: readonly string[],
    { before = {}, isShown = false }: { readonly before?: Props; readonly isShown?: boolean },
  ): JsonObject {
    const held = textsIn(before);
    const large = this.largeIn(props, names).map((one): Packed => {
      if (before[one.name] === one.shown) return { ...one, text: held[one.name] };
      const text = loadText().packedText(one.value);
      return { ...one, text: isShown || 2 * (text.length + AROUND) <= plainLength(one.value) ? text : undefined };
    });
    return withTexts(props, large);
  }

  /**
   * The opposite of both. A value that nothing here has is unknown.
   * @param beside the state of the same resource, which may have the texts
   */
  restored<P extends Props>(props: P, names: readonly string[], beside: Props = {}): P {
    const held = names.filter((name) => isFingerprint(props[name]));
    if (held.length === 0) return props;
    const known = held.filter((name) => this.known.has(props[name]));
    const rest: Props =
      known.length === held.length
        ? omit(props, [PACKED])
        : withoutPacked({ ...props, [PACKED]: omit(textsIn(props), known) }, beside);
    const values = held.map((name): [string, unknown] => {
      const value = this.known.get(props[name]) ?? rest[name];
      if (isObject(value)) this.known.set(props[name], value);
      return [name, isFingerprint(value) ? UNKNOWN : value];
    });
    // The same properties, with what stands for their values.
    return { ...rest, ...mapFrom(values) } as unknown as P;
  }

  private largeIn(props: JsonObject, names: readonly string[]): Large[] {
    return names.flatMap((name) => {
      const value = props[name];
      if (!isObject(value) || Object.keys(value).length <= MOST_ENTRIES) return [];
      const shown = fingerprint(value);
      this.known.set(shown, value);
      return [{ name, value, shown }];
    });
  }
}

/** A large value, with the fingerprint that stands in its place. */
interface Large {
  readonly name: string;
  readonly value: JsonObject;
  readonly shown: string;
}
type Packed = Large & { readonly text: Json | undefined };

function withTexts(props: JsonObject, large: readonly Packed[]): JsonObject {
  if (large.length === 0) return props;
  const texts = large.filter(({ text }) => text !== undefined);
  return {
    ...props,
    ...mapFrom(large.map(({ name, shown }) => [name, shown] as const)),
    ...(texts.length === 0 ? {} : { [PACKED]: mapFrom(texts.map(({ name, text }) => [name, text] as const)) }),
  };
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
 * Properties with the values of packed ones. What is not a packed value, or another one, is missing, and the state cannot be read.
 * @param beside the state that belongs to inputs, or the inputs of a state, which may have the texts of the same values
 */
export function withoutPacked<P extends Props>(props: P, beside: Props = {}): P {
  const [own, others] = [textsIn(props), textsIn(beside)];
  const shared = Object.keys(others).filter((name) => isOfSame(props[name], beside[name]));
  const names = [...new Set([...Object.keys(own), ...shared])];
  const values = names.map((name) => [name, valueOf(own[name] ?? others[name], props[name])] as const);
  return { ...omit(props, [PACKED]), ...mapFrom(values) } as P;
}

function textsIn({ [PACKED]: held }: Props): JsonObject {
  return isObject(held) ? held : {};
}

/** The value of a text, if it is the one that the fingerprint in its place stands for. */
function valueOf(text: Json | undefined, shown: unknown): Json | undefined {
  const value = typeof text === "string" ? loadText().mapOfText(text) : undefined;
  return isFingerprint(shown) && isObject(value) && fingerprint(value).startsWith(shown) ? value : undefined;
}

/** Whether two fingerprints stand for the same value: one may be that of an earlier version, which `ignoreChanges` keeps. */
function isOfSame(one: unknown, other: unknown): boolean {
  return isFingerprint(one) && isFingerprint(other) && (one.startsWith(other) || other.startsWith(one));
}

/** Whether a value is what stands in the place of a large one. That of an earlier version has half the digits. */
export function isFingerprint(value: unknown): value is string {
  return typeof value === "string" && /^\d+ items, [0-9a-f]{16,32}$/.test(value);
}

/** `10000 items, 3f2a9c1e05b7d8f46d2e…`: the same for equal values, in whatever order, and for no others. */
function fingerprint(value: JsonObject): string {
  const digest = loadCrypto().createHash("sha256").update(stableText(value)).digest("hex");
  return `${plural(Object.keys(value).length, "item")}, ${digest.slice(0, 32)}`;
}
