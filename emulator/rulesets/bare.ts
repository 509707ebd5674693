/** An expression with the texts in it emptied, to look for words of the language. */
export function bare(expression: unknown): string {
  return String(expression).replace(/r(#*)"[\s\S]*?"\1|"(?:\\.|[^"\\])*"/g, '""');
}
