/** The Ray ID in a text, without the location that pages show after it; undefined for an expression. */
export function rayIn(text: string): string | undefined {
  return /^([0-9a-f]{16})(?:-[a-z]{3})?$/i.exec(text.trim())?.[1]?.toLowerCase();
}
