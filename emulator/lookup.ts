/** The value of a key in a table, whatever the key: names of what every object inherits are in no table. */
export function ownValue<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
