/** Whether a text is a version number: a whole number from 1. */
export function isVersion(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text));
}

/** Sorts versions, newest first. Version numbers increase with every change and are never reused. */
export function newestFirst<T extends { readonly version: string }>(versions: readonly T[]): T[] {
  return [...versions].sort((a, b) => Number(b.version) - Number(a.version));
}

/** Version numbers as ranges: `1, 3, 5 to 9`. */
export function rangesText(versions: readonly string[]): string {
  const numbers = versions.map(Number).sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range !== undefined && number === range[1] + 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => rangeWords(from, to)).join(", ");
}

function rangeWords(from: number, to: number): string {
  if (from === to) return String(from);
  return to === from + 1 ? `${String(from)}, ${String(to)}` : `${String(from)} to ${String(to)}`;
}

/** Message for a version that does not exist, with those that do. */
export function noVersionText(
  where: string,
  version: string,
  versions: readonly { readonly version: string }[],
): string {
  if (versions.length === 0) return `there is no ${where}, so it has no version ${version}`;
  const [newest] = newestFirst(versions);
  const there = rangesText(versions.map((one) => one.version));
  return (
    `${where} has no version ${version}: it never existed, or it has been deleted. ` +
    `Versions that exist: ${there} (version ${newest?.version ?? ""} is the current one)`
  );
}
