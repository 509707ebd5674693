/** Every item of a list in Cloudflare's SDK, from all pages. */
export async function all<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of pages) items.push(item);
  return items;
}

/** The ID in a response whose type lacks it. */
export const idOf = (answer: unknown): string => (answer as { id: string }).id;
