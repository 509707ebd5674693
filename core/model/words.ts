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

/** `1,200`. */
export function formatNumber(value: number): string {
  // oxlint-disable-next-line eslint-js/no-restricted-syntax -- a number in a named language is written alike on every machine
  return value.toLocaleString("en-US", { maximumFractionDigits: 3 });
}

/** A duration in words, rounded up: `40 seconds`, `5 minutes`, `1.5 hours`. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 90) return counted(seconds, "second");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? counted(minutes, "minute") : counted(Math.ceil(minutes / 6) / 10, "hour");
}

/** `1,200 requests`. */
export function counted(value: number, unit: string): string {
  return `${formatNumber(value)} ${unit}${value === 1 ? "" : "s"}`;
}

/** Lines as a list under a title; nothing without lines. */
export function titledList(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`${title}:\n${lines.map((line) => `- ${line}`).join("\n")}`];
}
