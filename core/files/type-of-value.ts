/** The type of a value, for messages that must not show it. */
export function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  const words: Record<string, string> = {
    string: "a string",
    number: "a number",
    boolean: "a boolean",
    object: "an object",
  };
  return words[typeof value] ?? typeof value;
}
