import { parseEnvelope } from "../../../client/http/envelope.js";

describe("parsing an envelope", () => {
  test("reads null as an empty list", () => {
    expect(parseEnvelope({ success: false, result: null, errors: null, messages: null })).toEqual({
      success: false,
      result: null,
      errors: [],
      messages: [],
    });
  });
  test("accepts errors without a code, messages that are strings, and error chains", () => {
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
  test("reads the cursor and the page counts", () => {
    expect(parseEnvelope({ success: true, result: [], result_info: { cursors: { after: "x" } } })?.after).toBe("x");
    expect(
      parseEnvelope({ success: true, result: [], result_info: { cursors: { after: "" } } })?.after,
    ).toBeUndefined();
    expect(parseEnvelope({ success: true, result: [], result_info: { total_pages: 3 } })?.totalPages).toBe(3);
  });
  test("returns nothing where there is no envelope", () => {
    for (const value of [undefined, null, "x", [], {}, { success: "yes" }])
      expect(parseEnvelope(value)).toBeUndefined();
  });
});
