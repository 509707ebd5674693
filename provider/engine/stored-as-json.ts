import { isList, isObject, parseJson, stableText, type Json, type JsonObject } from "../../core/model/json.js";
import type { Properties } from "./description.js";
import type { Props } from "./lifecycle.js";

/*
 * The engine and the SDK take time for every value in a state, used or not. A property that a description marks
 * `storedAsJson` is one value there: the text of an object or a list in JSON without its brackets, each field of a member on its
 * own line. Pulumi shows the lines that differ between two such texts, with few around them. Of whole JSON it would show all.
 */

/** The properties of a state that it holds as JSON texts. */
export function textNames(properties: Properties): readonly string[] {
  return Object.keys(properties).filter((name) => properties[name]?.storedAsJson === true);
}

/** A state with the named properties as JSON texts. Equal values have equal texts, so that they make no difference. */
export function withTexts(state: JsonObject, names: readonly string[]): JsonObject {
  const texts = names.flatMap((name): [string, Json][] => {
    const value = state[name];
    return value === undefined ? [] : [[name, asText(value)]];
  });
  return texts.length === 0 ? state : { ...state, ...Object.fromEntries(texts) };
}

/** A state with the values that its JSON texts hold. What is not a JSON text is then missing, and the state cannot be read. */
export function withoutTexts(state: Props, names: readonly string[]): Props {
  const held = names.filter((name) => typeof state[name] === "string");
  return held.length === 0
    ? state
    : { ...state, ...Object.fromEntries(held.map((name) => [name, fromText(state[name])])) };
}

/** The value of such a property. One with a secret is held as the value itself, as in a preview. */
export function fromText(value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (value === NO_MEMBERS) return {};
  return parseJson(value.startsWith('"') ? `{${value}}` : `[${value}]`);
}

const NO_MEMBERS = "{}";

/** The text of an object, or of a list of objects. */
export function asText(value: Json): string {
  if (isList(value)) return value.map(memberText).join(LINES);
  return isObject(value) && Object.keys(value).length > 0 ? fieldsText(value, memberText) : NO_MEMBERS;
}

/** Pulumi cuts long lines, so that each field has its own. */
function memberText(value: Json | undefined): string {
  return isObject(value) ? `{\n${fieldsText(value, stableText)}\n}` : stableText(value);
}

function fieldsText(value: JsonObject, textOf: (member: Json | undefined) => string): string {
  const names = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return names.map((name) => `${JSON.stringify(name)}: ${textOf(value[name])}`).join(LINES);
}

const LINES = ",\n";
