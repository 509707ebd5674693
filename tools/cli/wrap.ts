/** Breaks the lines of a text that are wider than `columns`. @param columns undefined for any width */
export function wrapText(text: string, columns = Infinity): string {
  return text
    .split("\n")
    .flatMap((line) => wrapLine(line, columns))
    .join("\n");
}

/**
 * Breaks a line between words, and indents what follows. A word that is longer than the line stays whole, and so does a command
 * between backticks, so that they can be copied.
 */
export function wrapLine(line: string, columns: number): string[] {
  if (line.length <= columns) return [line];
  const indent = line.length - line.trimStart().length;
  const whole = line.replace(/`(?:npx|npm|pulumi|fleet) [^`]*`/g, (command) => command.replaceAll(" ", JOINT));
  return wrapRest(whole, columns, Math.max(indent + 2, 4)).map((each) => each.replaceAll(JOINT, " "));
}

/** Stands for a space where no line may break. */
const JOINT = "\0";

function wrapRest(line: string, columns: number, indent: number): string[] {
  if (line.length <= columns) return [line];
  const at = line.lastIndexOf(" ", columns);
  const end = at > indent ? at : line.indexOf(" ", indent + 1);
  if (end < 0) return [line];
  return [line.slice(0, end), ...wrapRest(`${" ".repeat(indent)}${line.slice(end + 1)}`, columns, indent)];
}

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
