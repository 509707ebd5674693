import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { execFileSync, spawnSync } from "node:child_process";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { cli, folder, root, type Finished } from "./support.js";

/* The library that writes these files is an ES module, which Jest cannot load. */

const files = folder({
  "before.json": [{ kind: "zone", phase: "http_request_firewall_custom", rules: [] }],
  "after.json": [
    {
      kind: "zone",
      phase: "http_request_firewall_custom",
      rules: [
        { ref: "bots", action: "block", expression: "cf.bot_management.score lt 30" },
        { ref: "tenant", action: "block", expression: 'any(http.request.headers["x-tenant"][*] eq "t7")' },
        { ref: "late", action: "block", expression: "http.request.timestamp.sec gt 1790000090" },
      ],
    },
  ],
});
const lines = Array.from({ length: 3000 }, (_, index) => ({
  RayID: `ray${String(index)}`,
  ClientIP: `203.0.113.${String(index % 250)}`,
  ClientRequestHost: "shop.example.com",
  ClientRequestMethod: "GET",
  ClientRequestURI: `/${String(index)}`,
  BotScore: 1 + (index % 99),
  EdgeStartTimestamp: 1_790_000_000 + (index % 100),
  EdgeResponseBytes: index,
  RequestHeaders: { "x-tenant": `t${String(index % 20)}` },
}));
const write = (name: string, codec: string, lower: boolean, own = lines): string => {
  const file = join(files, name);
  writeFileSync(join(files, "lines.json"), JSON.stringify(own));
  const writer = createRequire(join(root, "package.json")).resolve("hyparquet-writer");
  const script = `
    import { parquetWriteFile } from ${JSON.stringify(writer)};
    import { readFileSync } from "node:fs";
    const lines = JSON.parse(readFileSync(${JSON.stringify(join(files, "lines.json"))}, "utf8"));
    const column = (name, type, data) => ({ name: ${String(lower)} ? name.toLowerCase() : name, type, data });
    const texts = ["RayID", "ClientIP", "ClientRequestHost", "ClientRequestMethod", "ClientRequestURI"];
    parquetWriteFile({
      filename: ${JSON.stringify(file)}, codec: ${JSON.stringify(codec)}, rowGroupSize: 1000,
      columnData: [
        ...texts.map((name) => column(name, "STRING", lines.map((line) => line[name]))),
        column("BotScore", "INT64", lines.map(({ BotScore }) => BigInt(BotScore))),
        column("EdgeStartTimestamp", "TIMESTAMP", lines.map((line) => new Date(line.EdgeStartTimestamp * 1000))),
        column("EdgeResponseBytes", "INT32", lines.map((line) => line.EdgeResponseBytes)),
        column("RequestHeaders", "STRING", lines.map((line) => JSON.stringify(line.RequestHeaders))),
      ],
    });`;
  execFileSync(process.execPath, ["--input-type=module", "-e", script]);
  return file;
};
const replay = (cwd: string, ...named: readonly string[]): Promise<Finished> =>
  cli(
    ["rules", "replay", ...named, "--before", join(files, "before.json"), "--after", join(files, "after.json")],
    {},
    cwd,
  );

test.each([
  ["UNCOMPRESSED", false],
  ["SNAPPY", true],
])("says of a Parquet file (%s, lower case: %s) what it says of the same log as text", async (codec, lower) => {
  const text = join(files, "log.ndjson");
  writeFileSync(text, lines.map((line) => JSON.stringify(line)).join("\n"));
  const expected = await replay(root, text);
  expect(expected.stdout).toMatch(/^3,000 requests, 1,\d{3} treated differently\n/);
  expect(await replay(root, write(`log-${codec}.parquet`, codec, lower))).toEqual(expected);
});

test("results of a part in Parquet, one in gzip and one in Zstandard from standard input are merged to one run over all", async () => {
  const text = (from: number, to: number): string =>
    lines
      .slice(from, to)
      .map((line) => JSON.stringify(line))
      .join("\n");
  const [all, first] = [join(files, "all.ndjson"), join(files, "first.log.gz")];
  writeFileSync(all, text(0, 3000));
  writeFileSync(first, gzipSync(text(0, 700)));
  const versions = ["--before", join(files, "before.json"), "--after", join(files, "after.json")];
  const args = [join(root, "dist", "cli", "main.js"), "rules", "replay", "-", ...versions, "--partial", "-"];
  const second = spawnSync(process.execPath, args, { input: zstdCompressSync(text(700, 1900)), encoding: "utf8" });
  writeFileSync(join(files, "second.json"), second.stdout);
  await replay(root, first, "--partial", join(files, "first.json"));
  const third = write("third.parquet", "SNAPPY", false, lines.slice(1900));
  await replay(root, third, "--partial", join(files, "third.json"));
  const results = ["third.json", "second.json", "first.json"].map((name) => join(files, name));
  const merged = await cli(["rules", "replay", "merge", ...results], {}, root);
  expect(merged.stdout).toMatch(/^3,000 requests, 1,\d{3} treated differently\n/);
  expect(merged).toEqual(await replay(root, all));
});

test("names a Parquet file that is not complete", async () => {
  const file = write("whole.parquet", "SNAPPY", false);
  const cut = join(files, "cut.parquet");
  writeFileSync(cut, readFileSync(file).subarray(0, 9000));
  const { code, stdout } = await replay(root, cut);
  expect(stdout).toContain(`${cut}: parquet file invalid`);
  expect(code).toBe(3);
});
