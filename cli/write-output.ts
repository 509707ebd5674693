import { writeFileSync } from "node:fs";

/** Writes the output to the file or to standard output. */
export function writeOutput(
  text: string,
  { output }: { readonly output?: string },
  print: (line: string) => void,
): void {
  if (output === undefined) print(text);
  else writeFileSync(output, `${text}\n`);
}
