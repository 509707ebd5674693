import { ApiError, joinErrors, RulesetsError } from "../../../core/model/errors.js";

test("an API error has the codes of the response", () => {
  const error = new ApiError("x", {
    code: "API_INVALID",
    status: 400,
    errors: [{ code: 20217, message: "a" }, { message: "b" }],
  });
  expect([error.hasCode(20217), error.hasCode(1, 2), error.ambiguous]).toEqual([true, false, false]);
});

test("what was thrown together is one error, which says each reason once and has the code of a known error", () => {
  const [bug, known] = [new TypeError("no such thing"), new RulesetsError("violated", { code: "LIST_IN_USE" })];
  expect(joinErrors([known])).toBe(known);
  expect(joinErrors([bug, new Error("no such thing")])).toBe(bug);
  expect(joinErrors([bug, "gone"])).toEqual(new Error("no such thing\ngone"));
  expect(joinErrors([bug, known, known])).toMatchObject({
    message: "no such thing\nviolated",
    code: "LIST_IN_USE",
    cause: known,
  });
});
