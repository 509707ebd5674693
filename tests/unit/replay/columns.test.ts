import { requestOf } from "../../../tools/cli/rules/replay/recorded";
import { readDefaults } from "../../../tools/cli/rules/replay/defaults";
import { readLogLine } from "../../../tools/cli/rules/replay/request-log";
import { Treatments } from "../../../tools/cli/rules/replay/treatments";
import { compileVersions, type RulesetInput } from "../../../core/simulator/index";

const zone = (phase: string, ...rules: RulesetInput["rules"]): RulesetInput => ({ kind: "zone", phase, rules });
const blocking = (expression: string): RulesetInput =>
  zone("http_request_firewall_custom", { ref: "r", action: "block", expression });

/** What becomes of a line when a rule blocks by an expression, and why it is unknown. */
function outcome(
  expression: string,
  columns: object,
  { field, earlier }: { readonly field?: readonly string[]; readonly earlier?: RulesetInput } = {},
): readonly string[] {
  const defaults = readDefaults({ field });
  const after = [...(earlier === undefined ? [] : [earlier]), blocking(expression)];
  const treatments = new Treatments(compileVersions([], after), undefined);
  const record = readLogLine({ ClientRequestHost: "a.example.com", ClientRequestURI: "/a?b=c", ...columns });
  if (record === undefined) throw new Error("the line has no request");
  const { to, reasons } = treatments.of(requestOf(record, { defaults, draws: false }), record.at);
  return [to, ...reasons];
}

const missing = (name: string): readonly string[] => [
  "unknown",
  expect.stringContaining(`\`${name}\` is not in the recording; pass it as `) as string,
];
const headers = "http.request.headers";

describe("a column that the log does not have makes unknown, by its name", () => {
  test.each<[expression: string, field: string, columns?: object]>([
    ['http.user_agent eq ""', "http.user_agent"],
    ['http.referer eq ""', "http.referer"],
    ['http.cookie eq ""', "http.cookie"],
    ['http.x_forwarded_for eq ""', "http.x_forwarded_for"],
    [`any(${headers}["x-a"][*] eq "1")`, `${headers}["x-a"]`],
    [`not any(${headers}["x-a"][*] eq "1")`, `${headers}["x-a"]`, { RequestHeaders: { "x-b": "1" } }],
    [`any(raw.${headers}["x-a"][*] eq "1")`, `raw.${headers}["x-a"]`],
    [`len(${headers}["user-agent"]) gt 0`, `${headers}["user-agent"]`],
    [`any(${headers}.names[*] eq "x-a")`, `${headers}.names`, { RequestHeaders: { "x-b": "1" } }],
    [`any(${headers}.values[*] eq "x-a")`, `${headers}.values`],
    [`${headers}.truncated`, `${headers}.truncated`],
    ['any(http.request.cookies["a"][*] eq "1")', 'http.request.cookies["a"]', { Cookies: { b: "1" } }],
    ['any(http.request.accepted_languages[*] eq "de")', "http.request.accepted_languages"],
    ['http.request.method eq "GET"', "http.request.method", { ClientRequestMethod: "" }],
    ["ssl", "ssl"],
    ["cf.edge.server_port eq 443", "cf.edge.server_port"],
    ['starts_with(http.request.full_uri, "https://a")', "http.request.full_uri"],
    ['http.request.uri.query eq ""', "http.request.uri.query", { ClientRequestURI: "", ClientRequestPath: "/a" }],
    ['raw.http.request.uri eq "/a"', "raw.http.request.uri", { ClientRequestURI: "", ClientRequestPath: "/a" }],
    ['http.request.version eq "HTTP/2"', "http.request.version", { ClientRequestProtocol: "none" }],
    ["cf.edge.client_tcp", "cf.edge.client_tcp"],
    ["http.request.body.size gt 0", "http.request.body.size"],
    ['http.request.body.raw contains "a"', "http.request.body.raw"],
    ['any(http.request.body.form.names[*] eq "a")', "http.request.body.form.names"],
    ['cf.worker.upstream_zone ne ""', "cf.worker.upstream_zone", { WorkerSubrequest: true }],
    ["ip.src in {192.0.2.0/24}", "ip.src"],
    ['ip.src.country eq "DE"', "ip.src.country"],
    ["ip.src.asnum eq 1", "ip.src.asnum"],
    ["cf.bot_management.score lt 30", "cf.bot_management.score", { BotScore: 0 }],
    ["http.request.timestamp.sec gt 1", "http.request.timestamp.sec", { EdgeStartTimestamp: "x" }],
  ])("%s: %s", (expression, field, columns = {}) => {
    expect(outcome(expression, columns)).toEqual(missing(field));
  });
});

describe("a column that the log has makes known", () => {
  test.each<[expression: string, columns: object]>([
    ['http.user_agent eq ""', { ClientRequestUserAgent: "" }],
    [`len(${headers}["user-agent"]) eq 1`, { ClientRequestUserAgent: "x" }],
    [`not any(${headers}["referer"][*] contains "a")`, { ClientRequestReferer: "" }],
    ['http.referer contains "b"', { ClientRequestReferer: "https://b.example.com/" }],
    [`any(${headers}["x-a"][*] eq "1")`, { RequestHeaders: { "x-a": "1" } }],
    [`any(${headers}["host"][*] eq "a.example.com")`, {}],
    ['any(http.request.cookies["a"][*] eq "1")', { Cookies: { a: "1" } }],
    ['any(http.request.cookies["a"][*] eq "1")', { RequestHeaders: { cookie: "a=1" } }],
    ['http.request.method eq "POST"', { ClientRequestMethod: "POST" }],
    ["ssl and cf.edge.server_port eq 443", { ClientRequestScheme: "https" }],
    ['http.request.uri.path eq "/b"', { ClientRequestURI: "", ClientRequestPath: "/b" }],
    ['http.request.uri.query eq ""', { ClientRequestURI: "/b" }],
    ['cf.worker.upstream_zone eq ""', { WorkerSubrequest: false }],
  ])("%s", (expression, columns) => {
    expect(outcome(expression, columns)).toEqual(['blocked by "r"']);
  });
});

test("a default is about what the log does not have, also of a map", () => {
  const field = ['http.request.headers={"x-a": ["2"], "x-b": ["2"]}'];
  const columns = { RequestHeaders: { "x-a": "1" } };
  expect(outcome(`any(${headers}["x-a"][*] eq "1")`, columns, { field })).toEqual(['blocked by "r"']);
  expect(outcome(`any(${headers}["x-b"][*] eq "2")`, columns, { field })).toEqual(['blocked by "r"']);
});

describe("an earlier rule", () => {
  const change = (operation: string, value?: string): RulesetInput =>
    zone("http_request_late_transform", {
      ref: "h",
      action: "rewrite",
      expression: "true",
      actionParameters: { headers: { "x-a": { operation, ...(value === undefined ? {} : { value }) } } },
    });
  const limited = (expression: string, earlier: RulesetInput): readonly string[] =>
    outcome(expression, {}, { earlier: { ...earlier, phase: "http_request_transform" } });

  test("that sets or removes a header makes it known", () => {
    expect(limited(`any(${headers}["x-a"][*] eq "1")`, change("set", "1"))).toEqual(['blocked by "r"']);
    expect(limited(`not any(${headers}["x-a"][*] eq "1")`, change("remove"))).toEqual(['blocked by "r"']);
  });

  test("that adds a value to a header that is not in the log leaves it unknown", () => {
    expect(limited(`len(${headers}["x-a"]) eq 1`, change("add", "1"))[0]).toBe("unknown");
  });
});
