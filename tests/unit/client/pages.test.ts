import { encode } from "../../../provider/client/pages.js";

test("a segment stays one segment", () => {
  expect(encode("a/b?c#d")).toBe("a%2Fb%3Fc%23d");
  expect(encode("a..b")).toBe("a..b");
});

test.each(["", ".", ".."])("%j is refused: it would lead to another address", (segment) => {
  expect(() => encode(segment)).toThrow(`${JSON.stringify(segment)} cannot be part of an API path`);
});
