import { encode } from "../../../provider/client/pages.js";

test("encodes a segment so that it stays one segment", () => {
  expect(encode("a/b?c#d")).toBe("a%2Fb%3Fc%23d");
  expect(encode("a..b")).toBe("a..b");
});

test.each(["", ".", ".."])("refuses %j, which would lead to another address", (segment) => {
  expect(() => encode(segment)).toThrow(`${JSON.stringify(segment)} cannot be part of an API path`);
});
