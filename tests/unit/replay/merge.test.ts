import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { runReplay, type ReplayCommand } from "../../../tools/cli/rules/replay/command";
import { runReplayMerge } from "../../../tools/cli/rules/replay/merge/command";
import type { RuleInput } from "../../../core/simulator/index";
import { fc, runs } from "../../support/properties";
import { temporaryFolder } from "../../support/temporary-folder.js";

const block = (ref: string, expression: string): RuleInput => ({ ref, action: "block", expression });
const share = "hash_in_range(0, 100, cf.random_seed) lt 40";
const limit = {
  ...block("limit", "ssl"),
  ratelimit: { characteristics: ["ip.src"], period: 10, requestsPerPeriod: 1, mitigationTimeout: 10 },
};

let folder: string;
let printed: string[];
const print = (line: string): void => void printed.push(line);
const context = {
  version: "1.2.3",
  print,
  connect: () => {
    throw new Error("no request is made");
  },
};
const write = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const rules = (name: string, list: readonly RuleInput[], limits: readonly RuleInput[] = []): string =>
  write(
    name,
    JSON.stringify([
      { kind: "zone", phase: "http_request_firewall_custom", rules: list },
      { kind: "zone", phase: "http_ratelimit", rules: limits },
    ]),
  );
const versions = (): ReplayCommand => ({
  before: rules("before.json", [
    block("login", 'http.request.uri.path eq "/login"'),
    block("bots", "cf.waf.score lt 9"),
  ]),
  after: rules("after.json", [
    block("some", `http.request.uri.path in {"/login" "/a"} and ${share}`),
    block("bots", "cf.waf.score lt 9"),
  ]),
  looser: true,
});

beforeEach(() => {
  folder = temporaryFolder();
  printed = [];
});

/** What a command prints. */
async function printedBy(run: () => unknown): Promise<string> {
  printed = [];
  await run();
  return printed.join("\n");
}

const line = (path: string, ray: number, ip: number): string =>
  JSON.stringify({
    RayID: String(ray),
    ClientIP: `203.0.113.${String(ip)}`,
    ClientRequestHost: "shop.example.com",
    ClientRequestScheme: "https",
    ClientRequestMethod: "GET",
    ClientRequestURI: path,
  });

test("the parts of a log add up to one run over all of it, however it is split and in whatever order", async () => {
  const request = fc.record({
    path: fc.constantFrom("/login", "/a", "/b", "/login?x", "/login?y"),
    ip: fc.integer({ min: 0, max: 255 }),
    part: fc.integer({ min: 0, max: 4 }),
    order: fc.integer(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { maxLength: 60 }), fc.boolean(), async (requests, json) => {
      const options = { ...versions(), json };
      const lines = requests.map(({ path, ip }, index) => line(path, index, ip));
      const whole = await printedBy(() => runReplay([write("all.ndjson", lines.join("\n"))], options, context));
      const parts = Array.from({ length: 5 }, (_, part) => {
        const own = requests.flatMap((one, index) =>
          one.part === part ? [{ order: one.order, text: lines[index] }] : [],
        );
        const text = own.toSorted((a, b) => a.order - b.order).map((one) => one.text);
        return write(`part-${String(part)}.ndjson`, text.join("\n"));
      });
      const results = parts.map((part, index) => `${part}.${String((index * 7) % 5)}.json`);
      for (const [index, part] of parts.entries())
        await runReplay([part], { ...options, partial: results[index] ?? "" }, context);
      expect(await printedBy(() => runReplayMerge(results, { looser: true, json }, print))).toBe(whole);
      expect(await printedBy(() => runReplayMerge(results.toReversed(), { looser: true, json }, print))).toBe(whole);
      const [few, others] = [join(folder, "few.json"), join(folder, "others.json")];
      runReplayMerge(results.slice(0, 2), { looser: true, partial: few }, print);
      runReplayMerge(results.slice(2), { looser: true, partial: others }, print);
      const lined = write("lined.json", readFileSync(others, "utf8") + readFileSync(few, "utf8"));
      expect(await printedBy(() => runReplayMerge([lined], { looser: true, json }, print))).toBe(whole);
    }),
    { numRuns: runs(15) },
  );
});

test("files with lines that have no request, and files that end too early, add up as well", async () => {
  mkdirSync(join(folder, "logs"));
  const options = versions();
  const rubbish = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? line("/a", index, 1) : "rubbish"));
  for (const name of ["a", "b", "c", "d"]) write(`logs/${name}.ndjson`, rubbish.join("\n"));
  writeFileSync(join(folder, "logs", "e.gz"), gzipSync(line("/a", 9, 1)).subarray(0, 30));
  write("logs/_SUCCESS", "");
  const whole = await printedBy(async () => {
    expect(await runReplay([join(folder, "logs")], options, context)).toBe(3);
  });
  expect(whole).toContain("no request in 16 lines");
  expect(whole).toContain(`\n  ${join(folder, "logs", "c.ndjson")}:4\n  and 6 more lines\n`);
  expect(whole).toContain(`\n  ${join(folder, "logs", "e.gz")}: the compressed data end too early`);
  const results = await Promise.all(
    ["d", "a", "c", "b"].map(async (name) => {
      const partial = join(folder, `${name}.json`);
      expect(await runReplay([join(folder, "logs", `${name}.ndjson`)], { ...options, partial }, context)).toBe(0);
      return partial;
    }),
  );
  const broken = join(folder, "e.json");
  expect(await runReplay([join(folder, "logs", "e.gz")], { ...options, partial: broken }, context)).toBe(3);
  const merged = await printedBy(() => {
    expect(runReplayMerge([broken, ...results], { looser: true }, print)).toBe(3);
  });
  expect(merged).toBe(whole);
});

test("a file without any request is named, also beside others", async () => {
  const good = write("good.ndjson", [line("/a", 1, 1), "rubbish"].join("\n"));
  const wide = join(folder, "wide.ndjson");
  writeFileSync(wide, Buffer.from(`${line("/a", 2, 1)}\n${line("/b", 3, 1)}\n`, "utf16le"));
  const report = await printedBy(async () => {
    expect(await runReplay([good, wide], versions(), context)).toBe(3);
  });
  expect(report).toContain(`Not read, or not to the end:\n  ${wide}: none of its lines has a request`);
  expect(await runReplay([good], versions(), context)).toBe(0);
  // As a check, it does not pass by what it has not read.
  const same = { ...versions(), after: versions().before, looser: false };
  expect(await runReplay([good], same, context)).toBe(3);
  expect(await runReplay([write("whole.ndjson", line("/a", 1, 1))], same, context)).toBe(0);
});

test("a part leaves out rate limits and says so, as a run does that is told to", async () => {
  const options = { ...versions(), before: rules("before.json", []), after: rules("after.json", [], [limit]) };
  const log = write("log.ndjson", [line("/b", 1, 1), line("/b", 2, 1), line("/b", 3, 1)].join("\n"));
  expect(await printedBy(() => runReplay([log], options, context))).toContain(
    'allowed → limited by "limit": 2 requests',
  );
  const whole = await printedBy(() => runReplay([log], { ...options, rateLimits: false }, context));
  expect(whole).toMatch(/^3 requests, 0 treated differently.*Note: Rate limits are left out/s);
  const partial = join(folder, "part.json");
  await runReplay([log], { ...options, partial }, context);
  expect(await printedBy(() => runReplayMerge([partial], { looser: true }, print))).toBe(whole);
});

describe("--no-looser", () => {
  const judged = async (
    before: readonly RuleInput[],
    after: readonly RuleInput[],
    { limits = [[], []], ...more }: Partial<ReplayCommand> & { limits?: readonly (readonly RuleInput[])[] } = {},
  ): Promise<readonly number[]> => {
    const log = write("log.ndjson", line("/a", 1, 1));
    const options = {
      before: rules("before.json", before, limits[0]),
      after: rules("after.json", after, limits[1]),
      ...more,
    };
    const partial = join(folder, "part.json");
    await runReplay([log], { ...options, looser: true, partial }, context);
    return [
      await runReplay([log], { ...options, looser: false }, context),
      runReplayMerge([partial], { ...more, looser: false }, print),
    ];
  };
  const score = block("score", "cf.waf.score lt 9");
  const all = block("all", "true");

  test.each<[string, RuleInput[], RuleInput[], number]>([
    ["blocked → unknown", [all], [score], 2],
    ["unknown → allowed", [score], [], 2],
    ["unknown → unknown by another rule", [score], [block("score", "cf.waf.score lt 3")], 2],
    [
      "a managed ruleset less",
      [{ ref: "m", action: "execute", expression: "true", actionParameters: { id: "m" } }],
      [],
      2,
    ],
    ["unknown → blocked", [score], [all], 0],
    ["allowed → unknown", [], [score], 0],
    ["unknown by the same rule", [score], [score, block("none", "not true")], 0],
    ["blocked → allowed", [all], [], 2],
  ])("%s", async (name, before, after, code) => {
    expect(await judged(before, after)).toEqual([code, code]);
    const shown = name === "blocked → allowed" ? 2 : 0;
    expect(await judged(before, after, { allowUnknown: true })).toEqual([shown, shown]);
  });

  test("does not pass by rate limits that were left out of either version", async () => {
    const known = { ...limit, expression: 'http.request.uri.path eq "/none"' };
    for (const limits of [
      [[known], []],
      [[], [known]],
      [[known], [known]],
    ]) {
      expect(await judged([], [], { limits })).toEqual([0, 3]);
      expect(await judged([], [], { limits, rateLimits: false })).toEqual([3, 3]);
      expect(await judged([], [], { limits, rateLimits: false, allowUnknown: true })).toEqual([0, 0]);
    }
  });
});

describe("results that do not belong together", () => {
  const part = async (name: string, options: ReplayCommand, version = "1.2.3"): Promise<string> => {
    const partial = join(folder, name);
    await runReplay([write("log.ndjson", line("/a", 1, 1))], { ...options, partial }, { ...context, version });
    return partial;
  };
  const merge = (...files: string[]) => {
    return () => runReplayMerge(files, { looser: true }, print);
  };

  test("are refused: of other rules, other options, another version", async () => {
    const options = versions();
    const first = await part("first.json", options);
    const rulesDiffer = await part("rules.json", { ...options, after: options.before });
    const optionsDiffer = await part("options.json", { ...options, country: "DE" });
    const versionDiffers = await part("version.json", options, "2.0.0");
    expect(merge(first, first)).not.toThrow();
    expect(merge(first, rulesDiffer)).toThrow(/first\.json and .*rules\.json have different rules or options/);
    expect(merge(first, optionsDiffer)).toThrow(/have different rules or options/);
    expect(merge(first, versionDiffers)).toThrow(/by version 1\.2\.3, and .*version\.json by 2\.0\.0/);
  });

  test("are refused: a copy of a result, also inside a merged one", async () => {
    const first = await part("first.json", versions());
    const copy = write("copy.json", readFileSync(first, "utf8"));
    expect(merge(first, copy)).toThrow(/first\.json and .*copy\.json contain the result of the same run/);
    const merged = join(folder, "merged.json");
    runReplayMerge([first], { looser: true, partial: merged }, print);
    expect(merge(copy, merged)).toThrow(/copy\.json and .*merged\.json contain the result of the same run/);
    const twice = write("twice.json", readFileSync(first, "utf8").repeat(2));
    expect(merge(twice)).toThrow(/twice\.json contains the result of one run twice/);
  });

  test("are refused: no results at all", () => {
    expect(merge(write("log.ndjson", line("/a", 1, 1)))).toThrow(/log\.ndjson is not a result/);
    expect(merge(write("empty.json", ""))).toThrow("there is no result to merge");
    const head = '{"replay":1,"version":"1.2.3","rules":"x","runs":["1"],"result":{"requests":"many"}}';
    expect(merge(write("broken.json", head))).toThrow(/broken\.json is not a result/);
    expect(merge(join(folder, "none*.json"))).toThrow(/none\*\.json matches no file/);
  });
});

test("what must be given is named", async () => {
  const options = versions();
  await expect(runReplay([], options, context)).rejects.toThrow("pass files of requests");
  await expect(runReplay(["x"], { ...options, after: undefined }, context)).rejects.toThrow("--after is required");
  await expect(runReplay(["x"], options, context)).rejects.toThrow("x does not exist");
  const partial = { ...options, partial: "-", looser: false };
  await expect(runReplay(["x"], partial, context)).rejects.toThrow("pass it to `rules replay merge`");
});
