import { allPages, encodeSegment, pagesByCursor } from "../../../client/pages.js";
import type { Transport } from "../../../client/http/index.js";

test("encodes a segment so that it stays one segment", () => {
  expect(encodeSegment("a/b?c#d")).toBe("a%2Fb%3Fc%23d");
  expect(encodeSegment("a..b")).toBe("a..b");
});

test.each(["", ".", ".."])("refuses %j, which would lead to another address", (segment) => {
  expect(() => encodeSegment(segment)).toThrow(`${JSON.stringify(segment)} cannot be part of an API path`);
});

describe("a list with numbered pages", () => {
  /** A service with that many items, which counts its requests; `info` is what it says about the list. */
  const service = (
    items: number,
    { info = {}, ignoresPage = false }: { info?: object; ignoresPage?: boolean } = {},
  ) => {
    const asked: unknown[] = [];
    const send = ({ query: { page = 1, per_page: size = 1 } = {} }: { query?: Record<string, number> }) => {
      asked.push(page);
      const from = ignoresPage ? 0 : (page - 1) * size;
      const result = Array.from({ length: Math.max(0, Math.min(size, items - from)) }, (_, index) => ({
        id: String(from + index),
      }));
      return Promise.resolve({ success: true, result, errors: [], messages: [], ...info });
    };
    return { asked, transport: { send } as unknown as Transport };
  };

  test.each([
    ["the number of pages is named", 4, { info: { totalPages: 2 } }, [1, 2]],
    ["one full page is named as the only one", 2, { info: { totalPages: 1 } }, [1]],
    ["no number is named, and the first page is not full", 1, {}, [1]],
    ["no number is named, and the list is empty", 0, {}, [1]],
    ["no number is named, and the last page is not full", 5, {}, [1, 2, 3]],
    ["no number is named, and the last page is full", 4, {}, [1, 2, 3]],
  ])("is read completely, and without a needless request, where %s", async (_, items, options, pages) => {
    const { asked, transport } = service(items, options);
    const found = await allPages(transport, "/list", 2);
    expect(found.map(({ id }) => Number(id))).toEqual(Array.from({ length: items }, (__, index) => index));
    expect(asked).toEqual(pages);
  });

  test("ends where the service returns the same full page again", async () => {
    const { asked, transport } = service(2, { ignoresPage: true });
    expect(await allPages(transport, "/list", 2)).toHaveLength(2);
    expect(asked).toEqual([1, 2]);
  });

  test.each([
    ["is said to have more pages and returns the same", 2, { info: { totalPages: 9 }, ignoresPage: true }, "before"],
    ["returns fewer than it counts", 3, { info: { totalPages: 2, totalCount: 9 } }, "counts 9, and returned 3"],
    ["returns none and counts some", 0, { info: { totalCount: 7 } }, "counts 7, and returned 0"],
  ])("is not taken for whole where it %s", async (_, items, options, message) => {
    await expect(allPages(service(items, options).transport, "/list", 2)).rejects.toThrow(message);
  });

  test("is read on after a full page of more than the service counts", async () => {
    const { transport } = service(3, { info: { totalPages: 1, totalCount: 1 } });
    expect(await allPages(transport, "/list", 2)).toHaveLength(3);
  });
});

test.each<[unknown, number | undefined, string | undefined]>([
  [null, undefined, "contains no list"],
  [null, 1, "contains no list"],
  [null, 0, undefined],
  [[], undefined, undefined],
  ["text", 0, "contains no list"],
  [{ id: "a" }, undefined, "contains no list"],
  [[{ id: "a" }, null], undefined, "an entry that is no object, result[1]"],
  [[{ name: "a" }], undefined, "an entry without an ID, result[0]"],
])("an answer of %j, of which the service counts %p, is refused with %p", async (result, totalCount, message) => {
  const send = () => Promise.resolve({ success: true, result, totalCount, errors: [], messages: [] });
  const reading = allPages({ send } as unknown as Transport, "/list", 2);
  await (message === undefined ? expect(reading).resolves.toEqual([]) : expect(reading).rejects.toThrow(message));
});

describe("a list whose pages name the next one", () => {
  const read = async (transport: Transport): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const page of pagesByCursor(transport, "/list", {})) found.push(page);
    return found;
  };
  const service = (next: Readonly<Record<string, string>>, idOf = (cursor: string) => `id ${cursor}`) => {
    const asked: string[] = [];
    const send = ({ query: { cursor = "" } = {} }: { query?: { cursor?: string } }) => {
      asked.push(cursor);
      return Promise.resolve({
        result: [{ id: idOf(cursor) }],
        ...(next[cursor] === undefined ? {} : { after: next[cursor] }),
      });
    };
    return { asked, transport: { send } as unknown as Transport };
  };

  test("is read to its end", async () => {
    const { asked, transport } = service({ "": "b", b: "c" });
    expect(await read(transport)).toEqual([[{ id: "id " }], [{ id: "id b" }], [{ id: "id c" }]]);
    expect(asked).toEqual(["", "b", "c"]);
  });

  test.each([
    ["the same page", { "": "b", b: "b" }, undefined],
    ["an earlier page", { "": "b", b: "c", c: "b" }, undefined],
    ["the same page under another name", { "": "b", b: "c", c: "d" }, () => "same"],
  ])("is not asked for ever where %s comes again", async (_, next, idOf) => {
    const { transport } = service(next, idOf);
    await expect(read(transport)).rejects.toThrow("GET /list: the response is a page that was returned before.");
  });
});
