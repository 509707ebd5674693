import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runDiff } from "../../../tools/cli/rules/diff/command";
import { runReplay } from "../../../tools/cli/rules/replay/command";
import type { RuleInput } from "../../../core/simulator/index";
import { temporaryFolder } from "../../support/temporary-folder.js";

const block = (ref: string, expression: string): RuleInput => ({ ref, action: "block", expression });
const login = block("login", 'http.request.uri.path eq "/login"');
const bots = block("bots", "cf.bot_management.score lt 10");

let folder: string;
let printed: string[];
const context = {
  version: "1.2.3",
  print: (line: string) => void printed.push(line),
  connect: () => {
    throw new Error("no request is made");
  },
};
const write = (name: string, content: unknown): string => {
  const file = join(folder, name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
};
const rules = (name: string, ...list: RuleInput[]): string =>
  write(name, [{ kind: "zone", phase: "http_request_firewall_custom", rules: list }]);

beforeEach(() => {
  folder = temporaryFolder();
  printed = [];
});

const edit = { ...context, now: new Date("2026-11-26T00:00:00Z") };

describe("rules diff", () => {
  test("reports what an edit does, and fails a pipeline when the result is looser", async () => {
    const [before, after] = [rules("before.json", login, bots), rules("after.json", login)];
    expect(await runDiff([before, after], { looser: true }, edit)).toBe(0);
    expect(printed.join("\n")).toMatch(/^Looser: .*\n {2}looser: GET https:.*: blocked by "bots" → allowed$/);
    expect(await runDiff([before, after], { looser: false }, edit)).toBe(2);
    expect(await runDiff([after, before], { looser: false }, edit)).toBe(0);
    expect(await runDiff([after, after], { looser: false }, edit)).toBe(0);
  });

  test("fails a pipeline when it cannot tell", async () => {
    const opaque = (most: number) => block("some", `hash_in_range(0, 100, http.host) lt ${String(most)}`);
    const [before, after] = [rules("before.json", opaque(2)), rules("after.json", opaque(1))];
    expect(await runDiff([before, after], { looser: false }, edit)).toBe(2);
    // Whatever the hash is, more requests are below the higher limit.
    expect(await runDiff([after, before], { looser: false }, edit)).toBe(0);
    expect(printed.join("\n")).toMatch(/not decided: whether "some" makes it looser: /);
    expect(await runDiff([before, after], { looser: false, allowUnknown: true }, edit)).toBe(0);
    const [known, looser] = [rules("known.json", login, bots), rules("looser.json", login)];
    expect(await runDiff([known, looser], { looser: false, allowUnknown: true }, edit)).toBe(2);
  });

  test("passes where another redirect or response is all that changes", async () => {
    const closing = { ...login, action: "force_connection_close" };
    const [before, after] = [rules("before.json", login), rules("after.json", closing)];
    expect(await runDiff([before, after], { looser: false }, edit)).toBe(0);
  });

  test("reads API responses, and writes JSON", async () => {
    const wire = {
      id: "r1",
      kind: "zone",
      phase: "http_request_firewall_custom",
      rules: [{ id: "x", action: "skip", expression: "ssl", action_parameters: { ruleset: "current" } }, login],
    };
    const [before, after] = [rules("before.json", login), write("after.json", { success: true, result: wire })];
    await runDiff([before, after], { looser: true, json: true }, edit);
    expect(JSON.parse(printed.join(""))).toMatchObject({
      verdict: "looser",
      looser: "shown",
      stricter: "ruledOut",
      undecided: [],
      witnesses: [
        {
          request: { url: "https://www.example.com/login" },
          before: { outcome: "blocked", rule: { ref: "login" } },
          after: { outcome: "allowed" },
        },
      ],
    });
  });

  test("reports a missing argument", async () => {
    await expect(runDiff([rules("one.json", login)], { looser: true }, edit)).rejects.toThrow(/pass two paths/);
  });
});

describe("rules replay", () => {
  const line = (path: string, more: object = {}) =>
    JSON.stringify({
      ...{
        ClientIP: "203.0.113.9",
        ClientRequestHost: "shop.example.com",
        ClientRequestMethod: "GET",
        ClientRequestURI: path,
      },
      ...{
        ClientRequestScheme: "https",
        ClientRequestProtocol: "HTTP/2",
        ClientCountry: "de",
        BotScore: 50,
        EdgeStartTimestamp: "2026-11-01T10:00:00Z",
      },
      ...more,
    });

  test("counts the decisions of each rule before and after, with examples", async () => {
    const log = write(
      "requests.ndjson",
      [line("/"), line("/login"), line("/login?a"), line("/x", { BotScore: 3 }), "no JSON", "{}"].join("\n"),
    );
    const options = { before: rules("before.json", login), after: rules("after.json", bots), looser: false };
    expect(await runReplay([log], options, context)).toBe(2);
    expect(
      printed
        .join("\n")
        .split("\n")
        .map((text) => text.trimEnd()),
    ).toEqual([
      "4 requests, 3 treated differently; no request in 2 lines",
      "",
      "outcome                before      after",
      "allowed                     2          3",
      'blocked by "login"          2          0',
      'blocked by "bots"           0          1',
      "",
      'blocked by "login" → allowed: 2 requests (looser)',
      "  GET https://shop.example.com/login from 203.0.113.9",
      "  GET https://shop.example.com/login?a from 203.0.113.9",
      "",
      'allowed → blocked by "bots": 1 request (stricter)',
      "  GET https://shop.example.com/x from 203.0.113.9",
      "",
      "No request in:",
      `  ${log}:5`,
      `  ${log}:6`,
    ]);
  });

  /** A log that names neither client nor country. */
  const urls = (...paths: string[]) =>
    write("urls.ndjson", paths.map((path) => line(path, { ClientIP: undefined, ClientCountry: undefined })).join("\n"));
  const versions = () => ({
    before: rules("before.json", block("office", "not ip.src in {192.0.2.0/24}"), block("score", "cf.waf.score lt 20")),
    after: rules("after.json", block("germany", 'ip.src.country ne "DE"')),
    looser: true,
  });

  test("says why outcomes are unknown, and with which options they are known", async () => {
    await runReplay([urls("/", "/a")], versions(), context);
    expect(printed.join("\n").split("Unknown, because:\n")[1]?.split("\n\n")[0]?.split("\n")).toEqual([
      "  `cf.waf.score` is not in the recording; pass it as --field 'cf.waf.score=…': 2 requests",
      "  `ip.src.country` is not in the recording; pass it as --country <code>: 2 requests",
      "  `ip.src` is not in the recording; pass it as --ip <address>: 2 requests",
    ]);
    printed = [];
    const given = { ip: "192.0.2.1", country: "FR", field: ["cf.waf.score=12"], json: true };
    await runReplay([urls("/", "/a")], { ...versions(), ...given }, context);
    expect(JSON.parse(printed.join(""))).toMatchObject({
      unknown: [],
      changes: [{ from: 'blocked by "score"', to: 'blocked by "germany"', count: 2 }],
    });
  });

  test("a default replaces nothing that the recording contains", async () => {
    const log = write("requests.ndjson", line("/", { BotScore: 50 }));
    const options = { before: rules("before.json", login), after: rules("after.json", bots), looser: true };
    const given = { ip: "198.51.100.1", country: "FR", field: ["cf.bot_management.score=1"] };
    await runReplay([log], { ...options, ...given }, context);
    expect(printed.join("\n")).toMatch(/^1 request, 0 treated differently/);
  });

  test.each([
    [["cf.waf.scor=1"], "--field cf.waf.scor: there is no such field; did you mean cf.waf.score?"],
    [["cf.waf.score=many"], '--field cf.waf.score: "many" does not fit the type of the field'],
    [["cf.waf.score"], "--field must be name=value"],
  ])("refuses the default %j", async (field, text) => {
    await expect(runReplay([urls("/")], { ...versions(), field }, context)).rejects.toThrow(text);
  });

  test("counts rate limits by the timestamps of the log", async () => {
    const limit = (requestsPerPeriod: number): RuleInput => ({
      ...block("limit", "ssl"),
      ratelimit: { characteristics: ["ip.src"], period: 10, requestsPerPeriod, mitigationTimeout: 10 },
    });
    const at = (second: number) => line("/", { EdgeStartTimestamp: 1_790_000_000 + second });
    const log = write("requests.ndjson", [at(0), at(1), at(2), at(30), at(31)].join("\n"));
    const options = {
      before: rules("before.json", limit(2)),
      after: rules("after.json", limit(5)),
      looser: true,
      json: true,
    };
    expect(await runReplay([log], options, context)).toBe(0);
    expect(JSON.parse(printed.join(""))).toMatchObject({
      requests: 5,
      changed: 1,
      changes: [{ from: 'limited by "limit"', to: "allowed", count: 1 }],
    });
  });

  test("draws a share of requests by their Ray IDs, because the log does not contain it", async () => {
    const lines = Array.from({ length: 2000 }, (_, index) => line("/login", { RayID: `8f0c${String(index)}` }));
    const share = (percent: number) => ({
      ...login,
      expression: `${String(login.expression)} and hash_in_range(0, 100, cf.random_seed) lt ${String(percent)}`,
    });
    const changed = async (percent: number, log: readonly string[]): Promise<number> => {
      const options = {
        before: rules("before.json"),
        after: rules("after.json", share(percent)),
        looser: true,
        json: true,
      };
      printed = [];
      expect(await runReplay([write("requests.ndjson", log.join("\n"))], options, context)).toBe(0);
      const report = JSON.parse(printed.join("")) as { unknown: []; changed: number };
      expect(report.unknown).toEqual([]);
      return report.changed;
    };
    const found = await changed(5, lines);
    expect(found).toBeGreaterThan(70);
    expect(found).toBeLessThan(130);
    expect(await changed(5, lines.toReversed())).toBe(found);
  });
});
