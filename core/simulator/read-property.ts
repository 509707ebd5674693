// Rules come in a program's notation or the API's: the same names, in two spellings.

const CAPITAL = /[A-Z]/;

/** A property of an object under its camelCase name or the API's snake_case one. */
export function readProperty(from: unknown, name: string): unknown {
  if (typeof from !== "object" || from === null) return undefined;
  const record = from as Readonly<Record<string, unknown>>;
  const value = record[name] ?? undefined;
  if (value !== undefined || !CAPITAL.test(name)) return value;
  return record[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] ?? undefined;
}

export function readText(from: unknown, name: string): string | undefined {
  const value = readProperty(from, name);
  return typeof value === "string" ? value : undefined;
}

export function readNumber(from: unknown, name: string): number | undefined {
  const value = readProperty(from, name);
  return typeof value === "number" ? value : undefined;
}

export function readTexts(from: unknown, name: string): readonly string[] {
  const value = readProperty(from, name);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

export function readEntries(from: unknown, name: string): readonly (readonly [string, unknown])[] {
  const value = readProperty(from, name);
  return typeof value === "object" && value !== null ? Object.entries(value) : [];
}

/** The last part of a full resource ID: `zones/z1/rulesets/abc` refers to the ruleset `abc`. */
export function lastSegment(id: string): string {
  return id.slice(id.lastIndexOf("/") + 1);
}
