/** A count with its noun: `1 rule`, `3 rules`. */
export function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Names in a sentence, at most this many. */
export function joinNames(names: readonly string[], most = 5): string {
  if (names.length > most) return `${names.slice(0, most).join(", ")} and ${String(names.length - most)} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** With a capital at the beginning. */
export function capital(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}
