import { parseEnvelope } from "../../../provider/http/envelope.js";
import { redact } from "../../../provider/http/redact.js";

describe("the envelope", () => {
  test("takes null for an empty list", () => {
    expect(parseEnvelope({ success: false, result: null, errors: null, messages: null })).toEqual({
      success: false,
      result: null,
      errors: [],
      messages: [],
    });
  });
  test("takes errors without a code, messages that are texts, and chains", () => {
    const envelope = parseEnvelope({
      success: false,
      errors: [
        { message: "request is not authorized" },
        { code: 6003, message: "Invalid request headers", error_chain: [{ code: 6111, message: "Invalid format" }] },
        { code: 20217, message: "no", source: { pointer: "/kind" } },
      ],
      messages: ["be careful"],
    });
    expect(envelope?.errors.map(({ code }) => code)).toEqual([undefined, 6003, 6111, 20217]);
    expect(envelope?.errors[3]?.pointer).toBe("/kind");
    expect(envelope?.messages).toEqual([{ message: "be careful" }]);
  });
  test("finds the cursor and the pages", () => {
    expect(parseEnvelope({ success: true, result: [], result_info: { cursors: { after: "x" } } })?.after).toBe("x");
    expect(
      parseEnvelope({ success: true, result: [], result_info: { cursors: { after: "" } } })?.after,
    ).toBeUndefined();
    expect(parseEnvelope({ success: true, result: [], result_info: { total_pages: 3 } })?.totalPages).toBe(3);
  });
  test("is not seen where there is none", () => {
    for (const value of [undefined, null, "x", [], {}, { success: "yes" }])
      expect(parseEnvelope(value)).toBeUndefined();
  });
});

test("redaction hides secrets, also where JSON has escaped them, and the longest first", () => {
  expect(redact('a sec"ret1 b sec\\"ret1', ['sec"ret1'])).toBe("a [secret] b [secret]");
  expect(redact("tokenlong token", ["token", "tokenlong"])).toBe("[secret] [secret]");
  expect(redact("a b", ["a"])).toBe("a b");
});
