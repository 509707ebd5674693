import { isAboutTheRequest } from "../../../client/index.js";
import { ApiError, type ErrorCode } from "../../../core/model/errors.js";

test.each<[ErrorCode, number | undefined, boolean]>([
  ["API_INVALID", 400, true],
  ["API_NOT_FOUND", 404, true],
  ["API_CONFLICT", 409, true],
  ["API_UNAUTHORIZED", 401, false],
  ["API_FORBIDDEN", 403, false],
  ["API_RATE_LIMITED", 429, false],
  // The page of a proxy, with any status: the service has not seen the request.
  ["API_GARBLED", 403, false],
  ["API_GARBLED", 404, false],
  ["API_UNAVAILABLE", 503, false],
  ["API_UNAVAILABLE", undefined, false],
])("an error %s with status %s is about the request itself: %s", (code, status, is) => {
  const error = new ApiError("no", { code, ...(status === undefined ? {} : { status }) });
  expect(isAboutTheRequest(error)).toBe(is);
});

test.each([7000, 7003])("an address that the service does not have (%d) says nothing about the request", (code) => {
  const errors = [{ code, message: "No route for that URI" }];
  expect(isAboutTheRequest(new ApiError("no", { code: "API_INVALID", status: 404, errors }))).toBe(false);
});
