import * as node from "node:crypto";
import { Buffer as PageBuffer } from "../../../apps/playground/browser/bytes";
import { createHash, createHmac, timingSafeEqual } from "../../../apps/playground/browser/crypto";
import { fc } from "../../support/properties";

const bytes = fc.uint8Array({ maxLength: 200 });

test("hashes like Node", () => {
  fc.assert(
    fc.property(fc.array(bytes, { maxLength: 3 }), fc.string({ unit: "binary" }), (parts, text) => {
      const [ours, theirs] = [createHash("sha256"), node.createHash("sha256")];
      for (const part of parts) {
        ours.update(part);
        theirs.update(part);
      }
      expect(ours.update(text).digest("hex")).toBe(theirs.update(text).digest("hex"));
    }),
  );
});

test("signs like Node", () => {
  fc.assert(
    fc.property(bytes, bytes, (key, message) => {
      const expected = node.createHmac("sha256", key).update(message).digest("base64");
      expect(createHmac("sha256", key).update(message).digest("base64")).toBe(expected);
    }),
  );
});

test("compares bytes", () => {
  expect(timingSafeEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true);
  expect(timingSafeEqual(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false);
});

test("refuses other hashes than the page has", () => {
  expect(() => createHash("md5" as "sha256")).toThrow("only sha256 is available in the page, not md5");
});

test.each(["utf8", "latin1", "base64", "base64url", "hex"] as const)("writes bytes as %s like Node", (encoding) => {
  fc.assert(
    fc.property(bytes, (value) => {
      expect(PageBuffer.from(value).toString(encoding)).toBe(Buffer.from(value).toString(encoding));
    }),
  );
});

test.each(["utf8", "latin1", "base64", "base64url"] as const)("reads %s like Node", (encoding) => {
  const text = encoding.startsWith("base64")
    ? fc.string({ unit: fc.constantFrom(...Array.from("AQgz09+/-_= \n")) })
    : fc.string({ unit: "binary" });
  fc.assert(
    fc.property(text, (value) => {
      expect(Array.from(PageBuffer.from(value, encoding))).toEqual(Array.from(Buffer.from(value, encoding)));
    }),
  );
});
