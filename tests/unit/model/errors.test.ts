import { ApiError } from "../../../provider/model/errors.js";

test("an API error has the codes of the response", () => {
  const error = new ApiError("x", {
    code: "API_INVALID",
    status: 400,
    errors: [{ code: 20217, message: "a" }, { message: "b" }],
  });
  expect([error.hasCode(20217), error.hasCode(1, 2), error.ambiguous]).toEqual([true, false, false]);
});
