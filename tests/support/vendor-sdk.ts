/** Every item of a list of the vendor's SDK, page by page. */
export async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** The id in an answer whose type leaves it out. */
export const idOf = (answer: unknown): string => (answer as { id: string }).id;
