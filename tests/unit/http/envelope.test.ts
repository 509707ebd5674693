import { parseEnvelope } from "../../../provider/http/envelope.js";

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
