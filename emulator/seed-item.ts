import { ServiceError } from "./failure.js";

/** Adds the items of a list in a seed, one by one. A failure names the item. */
export function addEach<T>(
  name: string,
  items: readonly T[] = [],
  add: (item: T) => void,
  /** Where in the item a failure is, as a JSON pointer. */
  pointerOf: (error: unknown) => string = () => "",
): void {
  for (const [index, item] of items.entries()) {
    try {
      add(item);
    } catch (error) {
      const place = seedPath(`/${name}/${String(index)}${pointerOf(error)}`);
      throw new Error(`${place}: ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Where in a body of the item the service found the mistake. */
export function refusedPointer(error: unknown): string {
  return error instanceof ServiceError ? (error.entries[0]?.pointer ?? "") : "";
}

/** A JSON pointer in path notation: `zones[0].plan`. */
export function seedPath(pointer: string): string {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`))
    .join("")
    .replace(/^\./, "");
}
