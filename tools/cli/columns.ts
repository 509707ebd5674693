/**
 * How wide the output may be: what `COLUMNS` says, or else as wide as the terminal. Undefined for a file or a pipe, whose lines
 * stay whole.
 */
export function columnsOf(
  { isTTY, columns }: Pick<NodeJS.WriteStream, "isTTY" | "columns">,
  { COLUMNS: wanted = "" }: Readonly<Record<string, string | undefined>>,
): number | undefined {
  if (/^[1-9]\d*$/.test(wanted)) return Number(wanted);
  return isTTY && columns > 0 ? columns : undefined;
}
