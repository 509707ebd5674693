import { definitions, snakeCase } from "../../core/model/shapes.js";

/** Names of fields in both spellings, and known values: they occur in every program and every response. */
const WORDS: ReadonlySet<string> = new Set(
  Object.values(definitions).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, node]) => [
      name,
      node["x-wire"] ?? snakeCase(name),
      ...(node["x-known"] ?? []).map(String),
      ...(node.items?.["x-known"] ?? []).map(String),
    ]),
  ),
);

/** Whether a text is a word of the API itself, which reveals nothing even as part of a secret. */
export function isPublicWord(text: string): boolean {
  return WORDS.has(text) || text === "true" || text === "false";
}
