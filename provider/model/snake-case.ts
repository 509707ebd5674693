/** A name of ours as the wire spells it, unless the schema says otherwise. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
