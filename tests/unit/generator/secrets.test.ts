import { secretsOf, type SecretPart } from "../../../tools/generator/program/secrets";

/** The secrets in an expression: what they belong to, which one it is, and the value at the service. */
function found(expression: string): string[] {
  return secretsOf({ action: "block", expression }).flatMap(({ unquoted = [] }) =>
    unquoted.flatMap((part) => (typeof part === "string" ? [] : [words(part)])),
  );
}

function words({ fieldName, hint, value }: SecretPart): string {
  return `${fieldName}${hint === undefined ? "" : ` (${hint})`}: ${value}`;
}

test.each([
  [
    "a value with quotes and backslashes, as the service compares it",
    'http.request.headers["x-key"][0] eq "ab\\"cd\\\\ef"',
    ['x-key: ab"cd\\ef'],
  ],
  ["the same value as a raw string", 'http.request.headers["x-key"][0] eq r#"ab"cd\\ef"#', ['x-key: ab"cd\\ef']],
  [
    "two secrets in one set",
    'any(http.request.headers["x-api-key"][*] in {"first-one" "second-one"})',
    ["x-api-key (1 of 2): first-one", "x-api-key (2 of 2): second-one"],
  ],
  ["a cookie", 'http.cookie contains "session=abc123"', ["session (with the name, session=…): session=abc123"]],
  ["a cookie by its name", 'http.request.cookies["connect.sid"][0] eq "abc123"', ["connect.sid: abc123"]],
  [
    "an argument in a query",
    'http.request.uri.query contains "a=1&api_key=abc123"',
    ["api_key (with the name, api_key=…): a=1&api_key=abc123"],
  ],
  [
    "a value that nobody writes by hand",
    'http.request.headers["x-magic"][0] eq "9f86d081884c7d659a2feaa0c55ad015"',
    ["x-magic: 9f86d081884c7d659a2feaa0c55ad015"],
  ],
  ["a cookie without a value", 'http.cookie contains "session="', []],
  ["a setting in a cookie", 'http.cookie contains "theme=dark"', []],
  ["a browser", 'http.user_agent eq "Mozilla/5.0 (X11)"', []],
  ["a path", 'http.request.uri.path eq "/9f86d081884c7d659a2feaa0c55ad015"', []],
])("asks about %s as a secret, or does not", (_, expression, secrets) => {
  expect(found(expression)).toEqual(secrets);
});

test("asks about no header with a flag, as of leaked credentials", () => {
  const headers = { "Exposed-Credential-Check": { operation: "set", value: "1" } };
  expect(secretsOf({ action: "rewrite", actionParameters: { headers } })).toEqual([]);
});
