import { failedRequestIn, failedRequestText } from "../../../core/model/errors.js";
import { missingCredentials } from "../../../provider/settings.js";

const path = "/zones/z1/rulesets";
const failed = (what: string): string => failedRequestText({ method: "GET", path }, what);

test.each([
  ["an error of the service", failed("403 [10000] Authentication error"), { path, status: 403 }],
  ["a page of a proxy", failed('403 "<html>".'), { path }],
  ["no response", failed("no response after 3 attempts (ECONNREFUSED)."), { path }],
  ["more around it", `error: could not check it. ${failed("503 [1] busy")}`, { path, status: 503 }],
  ["missing credentials", missingCredentials().message, { path: "" }],
  ["a conflict", "somebody else changed the ruleset. To continue: GET it again", undefined],
])("finds the request that failed in a message: %s", (_, message, request) => {
  expect(failedRequestIn(message)).toEqual(request);
});
