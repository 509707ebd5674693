/** `3 rules`, `1 rule`. */
export function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** Names in a sentence, at most this many. */
export function listed(names: readonly string[], most = 5): string {
  if (names.length > most) return `${names.slice(0, most).join(", ")} and ${String(names.length - most)} more`;
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}
