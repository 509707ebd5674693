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
});

test.each<[unknown, boolean]>([
  [null, true],
  [[], true],
  ["text", false],
  [{ id: "a" }, false],
])("a list is none if the service returns %j: read %p", async (result, isRead) => {
  const send = () => Promise.resolve({ success: true, result, errors: [], messages: [] });
  const reading = allPages({ send } as unknown as Transport, "/list", 2);
  await (isRead ? expect(reading).resolves.toEqual([]) : expect(reading).rejects.toThrow("contains no list"));
});

describe("a list whose pages name the next one", () => {
  const read = async (transport: Transport): Promise<unknown[]> => {
    const found: unknown[] = [];
    for await (const page of pagesByCursor(transport, "/list", {})) found.push(page);
    return found;
  };
  const service = (next: Readonly<Record<string, string>>) => {
    const asked: string[] = [];
    const send = ({ query: { cursor = "" } = {} }: { query?: { cursor?: string } }) => {
      asked.push(cursor);
      return Promise.resolve({
        result: [{ id: cursor }],
        ...(next[cursor] === undefined ? {} : { after: next[cursor] }),
      });
    };
    return { asked, transport: { send } as unknown as Transport };
  };

  test("is read to its end", async () => {
    const { asked, transport } = service({ "": "b", b: "c" });
    expect(await read(transport)).toEqual([[{ id: "" }], [{ id: "b" }], [{ id: "c" }]]);
    expect(asked).toEqual(["", "b", "c"]);
  });

  test.each([
    ["the same page", { "": "b", b: "b" }],
    ["an earlier page", { "": "b", b: "c", c: "b" }],
  ])("is not asked for ever where %s comes again", async (_, next) => {
    const { transport } = service(next);
    await expect(read(transport)).rejects.toThrow(
      "GET /list: the service named a page again that it had returned before.",
    );
  });
});
