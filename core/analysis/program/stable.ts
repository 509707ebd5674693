/** Objects whose keys are chosen by users, or are the names of headers. */
const MAPS: ReadonlySet<string> = new Set(["headers", "rules", "contains"]);

/** A text that is equal for equal values, whatever the order of keys, and in the API's notation as in that of programs. */
export function stable(value: unknown, isMap = false): string {
  if (value instanceof Map) return stable(Array.from(value as ReadonlyMap<unknown, unknown>).sort());
  if (Array.isArray(value)) return `[${value.map((item) => stable(item)).join(",")}]`;
  if (typeof value !== "object" || value === null)
    return typeof value === "bigint" ? `${String(value)}n` : JSON.stringify(value ?? null);
  const members = Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    member === undefined ? [] : [`${JSON.stringify(isMap ? name : wireName(name))}:${stable(member, MAPS.has(name))}`],
  );
  return `{${members.sort().join(",")}}`;
}

/** The name of a field at the service. */
export function wireName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
