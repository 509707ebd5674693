import { writeFileSync } from "node:fs";

/** Writes the output to the file or to standard output. */
export function writeOutput(
  text: string,
  { output }: { readonly output?: string },
  print: (line: string) => void,
): void {
  if (output === undefined) print(text);
  else writeFile(output, text);
}

/** How wide the output may be: a file has lines of any length. */
export function columnsFor({ output }: { readonly output?: string }, columns?: number): number | undefined {
  return output === undefined ? columns : undefined;
}

/** Writes a text to a file that the user named. */
export function writeFile(path: string, text: string): void {
  try {
    writeFileSync(path, `${text}\n`);
  } catch (error) {
    throw new Error(`${path} cannot be written: ${(error as Error).message}`, { cause: error });
  }
}
