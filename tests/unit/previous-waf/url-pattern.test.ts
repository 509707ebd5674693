import { covers, overlaps, urlCondition } from "../../../core/previous-waf/mapping/url-pattern.js";
import { parseExpression } from "../../../core/language/index.js";
import { anyText, fc } from "../../support/properties.js";

const pattern = fc.string({ unit: fc.constantFrom("a", "b", "/", "*"), maxLength: 6 });
const url = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 6 });

describe("URL patterns", () => {
  test.each([
    ["*.example.com/a*", "shop.example.com/*", true],
    ["http://example.com/*", "https://EXAMPLE.com/a", true],
    ["a.example.com/*", "b.example.com/*", false],
    ["example.com/a*c", "example.com/*d", false],
    ["", "", true],
    ["*", "", true],
  ])("%s and %s overlap: %s", (one, other, expected) => {
    expect([overlaps(one, other), overlaps(other, one)]).toEqual([expected, expected]);
  });

  test("overlap when a URL matches both, and when one covers the other", () => {
    fc.assert(
      fc.property(pattern, pattern, url, (one, other, text) => {
        if (covers(one, text) && covers(other, text)) expect(overlaps(one, other)).toBe(true);
        if (covers(one, other)) expect(overlaps(one, other)).toBe(true);
      }),
    );
  });

  test.each([
    ["example.com", 'http.request.full_uri wildcard "http*://example.com/"'],
    ["*example.com/*", 'http.request.full_uri wildcard "http*://*example.com/*"'],
    ["https://example.com/a**", 'http.request.full_uri wildcard "https://example.com/a*"'],
    ['example.com/"x"', 'http.request.full_uri wildcard "http*://example.com/\\"x\\""'],
  ])("%s as a condition", (given, expected) => {
    expect(urlCondition(given)).toBe(expected);
  });

  test("are valid conditions, whatever they contain", () => {
    fc.assert(
      fc.property(anyText({ maxLength: 20 }), (text) => {
        expect(parseExpression(urlCondition(text), "filter")).not.toHaveProperty("fault");
      }),
    );
  });
});
