import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { cli, folder, root } from "./support.js";

const rules = (expression: string) => [
  { kind: "zone", phase: "http_request_firewall_custom", rules: [{ ref: "a", action: "block", expression }] },
];
const files = folder({
  "before.json": rules('http.request.uri.path contains "7"'),
  "after.json": rules('http.request.uri.path contains "9"'),
});
const line = (index: number): string => {
  const path = `/${String(index)}/${"x".repeat(900)}`;
  return `${JSON.stringify({ RayID: String(index), ClientRequestHost: "a.example.com", ClientRequestURI: path })}\n`;
};
const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => (index % 1000 === 999 ? "rubbish\n" : line(from + index))).join("");
const replay = (...args: readonly string[]) =>
  cli(["rules", "replay", ...args, "--before", join(files, "before.json"), "--after", join(files, "after.json")]);

/** Runs the command on a file or on standard input, after some code. */
function run(log: string | Buffer, option: string, value: string, { before = "" } = {}) {
  const versions = ["--before", join(files, "before.json"), "--after", join(files, "after.json")];
  const named = ["rules", "replay", typeof log === "string" ? log : "-", ...versions, option, value];
  const main = JSON.stringify(join(root, "dist", "cli", "main.js"));
  const input = typeof log === "string" ? "" : log;
  const code = ["--no-warnings", "-e", `${before} require(${main})`, "--", ...named];
  return spawnSync(process.execPath, code, { input, encoding: "utf8" });
}

beforeAll(() => {
  // Just enough to be divided.
  const large = join(files, "large.ndjson");
  writeFileSync(large, "");
  for (let from = 0; from < 150_000; from += 10_000) appendFileSync(large, lines(from, 10_000));
  writeFileSync(join(files, "long.log.gz"), gzipSync(lines(0, 40_000), { level: 1 }));
  writeFileSync(join(files, "small.log.gz"), gzipSync(lines(0, 3000)));
  writeFileSync(join(files, "cut.log.gz"), gzipSync(lines(0, 3000)).subarray(0, 9000));
});

test("several threads say the same as one, about a large file and small ones, with the lines and files not read", async () => {
  const named = ["large.ndjson", "small.log.gz", "cut.log.gz"].map((name) => join(files, name));
  const [one, two] = [await replay(...named, "--parallel", "1"), await replay(...named, "--parallel", "2")];
  expect(two).toEqual(one);
  expect(two.code).toBe(3);
  expect(two.stdout).toContain(`cut.log.gz: the compressed data end too early: the file is truncated`);
  expect(two.stdout).toContain(`large.ndjson:8000\n`);
  expect(two.stdout).toMatch(/^15\d,\d{3} requests, .*; no request in 15\d lines\n/);
}, 60_000);

test.each([["long.log.gz"], ["-"]])("the lines of one stream (%s) are judged by several threads", (name) => {
  const text = readFileSync(join(files, "long.log.gz"));
  const stream = name === "-" ? text : join(files, name);
  const [one, two] = [run(stream, "--parallel", "1"), run(stream, "--parallel", "2")];
  expect(two.stdout).toBe(one.stdout);
  expect([one.status, two.status]).toEqual([0, 0]);
  expect(two.stdout).toMatch(/^39,960 requests, .*; no request in 40 lines\n/);
  const cut = run(text.subarray(0, text.length - 9000), "--parallel", "2");
  expect(cut.status).toBe(3);
  expect(cut.stdout).toContain("standard input: the compressed data end too early: the file is truncated");
});

test.each([
  ["large.ndjson", "134,217,728 to "],
  ["long.log.gz", ""],
])("a thread that ends before it answers is no silence about %s", (name, bytes) => {
  const end = 'process.on("worker", (thread) => thread.once("message", () => thread.terminate()));';
  const { stdout, status } = run(join(files, name), "--parallel", "2", { before: end });
  expect(stdout).toContain(`${name}: bytes ${bytes}`);
  expect(stdout).toContain(" not judged: the thread ended with code 1");
  expect(status).toBe(3);
});

test("standard input is read, and part of a result is written to standard output", async () => {
  const log = join(files, "small.log.gz");
  const main = join(root, "dist", "cli", "main.js");
  const args = [
    main,
    "rules",
    "replay",
    "-",
    "--before",
    join(files, "before.json"),
    "--after",
    join(files, "after.json"),
  ];
  const piped = spawnSync(process.execPath, args, { input: readFileSync(log), encoding: "utf8" });
  const other = await replay(log);
  expect(piped.stdout).toBe(other.stdout.replaceAll(log, "standard input"));
  const part = await replay(log, "--partial", "-");
  writeFileSync(join(files, "part.json"), part.stdout);
  const merged = await cli(["rules", "replay", "merge", join(files, "part.json")]);
  expect(merged.stdout).toBe(other.stdout);
});

test("tasks that get lines on standard input write results that are merged from standard input, as on Spark", () => {
  const main = join(root, "dist", "cli", "main.js");
  const run = (input: string, ...args: readonly string[]): string =>
    spawnSync(process.execPath, [main, "rules", "replay", ...args], { input, encoding: "utf8" }).stdout;
  const versions = ["--before", join(files, "before.json"), "--after", join(files, "after.json")];
  const all = Array.from({ length: 900 }, (_, index) => line(index));
  const tasks = [all.slice(600), [], all.slice(0, 200), all.slice(200, 600)];
  const results = tasks.map((own) => run(own.join(""), "-", ...versions, "--partial", "-"));
  expect(results.map((result) => result.trim().split("\n").length)).toEqual([1, 1, 1, 1]);
  expect(run(results.join(""), "merge", "-")).toBe(run(all.join(""), "-", ...versions));
});

test.each([["0"], ["x"], ["1.5"]])("--parallel %s is refused", async (number) => {
  const { code, stderr } = await replay(join(files, "small.log.gz"), "--parallel", number);
  expect(stderr).toContain("--parallel must be a whole number of at least 1");
  expect(code).toBe(1);
});
