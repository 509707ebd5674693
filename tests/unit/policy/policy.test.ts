import { knownProperties } from "../../../tools/policy/known";
import { safeRequest } from "../../../tools/policy/safe-request";
import { UNKNOWN } from "../../../core/model/unknown";

test.each([
  [
    "GET https://www.example.com/admin from 203.0.113.9",
    'starts_with(http.request.uri.path, "/admin")',
    "GET https://www.example.com/admin from 203.0.113.9",
  ],
  [
    "GET https://www.example.com/hidden/admin?key=s3cret from 198.51.100.77",
    "/admin",
    "GET https://www.example.com/…/admin?…=… from …",
  ],
  [
    "POST https://www.example.com/ from 203.0.113.9 (cookie: session=abc)",
    "true",
    "POST https://www.example.com/ from 203.0.113.9 (…: …=…)",
  ],
])("%s is shown without what only rules can have put there", (text, known, shown) => {
  expect(safeRequest(text, known)).toBe(shown);
});

test("properties that a policy cannot read are unknown", () => {
  const unreadable = (inside: object): object =>
    new Proxy(inside, {
      get: (target, name) => {
        if (name === "id") throw new Error("not known yet");
        return Reflect.get(target, name) as unknown;
      },
    });
  const rules = [unreadable({ action: "execute", id: "?" })];
  expect(knownProperties(unreadable({ id: "?", phase: "a", rules, none: undefined }))).toEqual({
    id: UNKNOWN,
    phase: "a",
    rules: [{ action: "execute", id: UNKNOWN }],
    none: null,
  });
});
