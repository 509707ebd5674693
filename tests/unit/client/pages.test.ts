import { encodeSegment } from "../../../provider/client/pages.js";

test("encodes a segment so that it stays one segment", () => {
  expect(encodeSegment("a/b?c#d")).toBe("a%2Fb%3Fc%23d");
  expect(encodeSegment("a..b")).toBe("a..b");
});

test.each(["", ".", ".."])("refuses %j, which would lead to another address", (segment) => {
  expect(() => encodeSegment(segment)).toThrow(`${JSON.stringify(segment)} cannot be part of an API path`);
});
