/** An expression with its strings emptied, for finding keywords. */
export function withoutStrings(expression: unknown): string {
  return String(expression).replace(/r(#*)"[\s\S]*?"\1|"(?:\\.|[^"\\])*"/g, '""');
}
