// How many requests of a log `rules replay` judges a second, with 100 rules before and after an edit of ten of them, and how
// much memory that takes: `npm run bench -- replay 400000`, where the number is that of the requests. With the path of another version's
// dist/tools/cli/main.js after it, that one is measured in the same run.
import { execFileSync, spawnSync } from "node:child_process";
import { createWriteStream, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const REQUESTS = Number(process.argv[2] ?? 400_000);
const main = fileURLToPath(new URL("../../dist/tools/cli/main.js", import.meta.url));
const other = process.argv[3];
const folder = mkdtempSync(join(tmpdir(), "bench-replay-"));

/** Realistic rules, all different. */
const KINDS = [
  (n) => `http.host eq "shop${n}.example.com" and starts_with(http.request.uri.path, "/admin/${n}")`,
  (n) => `ip.src.country in {"AQ" "BV" "X${n % 10}"} and http.request.method eq "POST"`,
  (n) => `http.user_agent contains "scanner/${n}" or http.request.uri.query contains "cmd=${n}"`,
  (n) => `ip.src in {198.51.${n}.0/24 2001:db8:${n}::/48} and not http.request.uri.path in {"/health" "/ready"}`,
  (n) => `http.request.uri.path matches "^/api/v${n}/[a-z]+/\\\\d+$" and cf.bot_management.score lt 20`,
  (n) => `http.request.uri.path contains "/wp-${n}" or ip.geoip.asnum in {64496 ${64500 + n}}`,
  (n) => `lower(http.request.uri.path) eq "/checkout/${n}" and http.request.version in {"HTTP/1.0" "HTTP/1.1"}`,
  (n) => `ends_with(http.request.uri.path, ".php${n}") and not ssl`,
  (n) => `http.host eq "api.example.com" and http.request.uri.path eq "/v1/login/${n}" and ip.src.country ne "DE"`,
  (n) => `http.referer contains "spam${n}.example" and http.request.method ne "GET"`,
];
const rules = (edit) =>
  Array.from({ length: 100 }, (_, n) => ({
    ref: `rule-${n}`,
    action: n % 3 === 0 ? "managed_challenge" : "block",
    expression: KINDS[n % 10](edit && n < 10 ? n + 100 : n),
  }));
const write = (name, list, limits = []) => {
  const file = join(folder, name);
  const entryPoints = [
    { kind: "zone", phase: "http_request_firewall_custom", rules: list },
    { kind: "zone", phase: "http_ratelimit", rules: limits },
  ];
  writeFileSync(file, JSON.stringify(entryPoints));
  return file;
};
const limit = (requestsPerPeriod) => ({
  ref: "limit",
  action: "block",
  expression: 'http.request.uri.path contains "/products"',
  ratelimit: { characteristics: ["ip.src", "cf.colo.id"], period: 60, requestsPerPeriod, mitigationTimeout: 60 },
});

/** The lines of a log as Logpush writes it by default, with 700 bytes each. */
let random = 7;
const draw = (below) => {
  random = (Math.imul(random, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((random / 2 ** 32) * below);
};
const PATHS = [
  "/",
  "/products/",
  "/api/v4/items/",
  "/static/app.js",
  "/search",
  "/checkout/",
  "/wp-5/login",
  "/images/",
];
const AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile",
  "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
  "curl/8.9.1",
];
function line(index) {
  const path = PATHS[draw(PATHS.length)];
  const uri = path.endsWith("/") && path !== "/" ? `${path}${draw(50_000)}?page=${draw(9)}` : path;
  const at = new Date(1_790_000_000_000 + index * 3).toISOString();
  return JSON.stringify({
    BotScore: 1 + draw(99),
    CacheCacheStatus: draw(2) === 0 ? "hit" : "dynamic",
    ClientASN: 64_000 + draw(900),
    ClientCountry: ["de", "us", "fr", "br", "in"][draw(5)],
    ClientDeviceType: "desktop",
    ClientIP: `${100 + draw(100)}.${draw(256)}.${draw(256)}.${draw(256)}`,
    ClientRequestBytes: 800 + draw(4000),
    ClientRequestHost: ["shop.example.com", "api.example.com", "www.example.com"][draw(3)],
    ClientRequestMethod: draw(5) === 0 ? "POST" : "GET",
    ClientRequestPath: uri.split("?")[0],
    ClientRequestProtocol: draw(3) === 0 ? "HTTP/1.1" : "HTTP/2",
    ClientRequestReferer: draw(2) === 0 ? "" : "https://www.example.com/start",
    ClientRequestScheme: "https",
    ClientRequestURI: uri,
    ClientRequestUserAgent: AGENTS[draw(AGENTS.length)],
    EdgeEndTimestamp: at,
    EdgeResponseBytes: 1000 + draw(90_000),
    EdgeResponseStatus: 200,
    EdgeStartTimestamp: at,
    OriginResponseStatus: 200,
    RayID: (0x8f0c_0000_0000 + index * 977).toString(16).padStart(16, "0"),
    SecurityActions: [],
    WorkerSubrequest: false,
    ZoneName: "example.com",
  });
}
async function writeLog(file, count) {
  const out = createWriteStream(file);
  for (let index = 0; index < count; index += 1000) {
    let text = "";
    for (let n = index; n < Math.min(index + 1000, count); n += 1) text += `${line(n)}\n`;
    if (!out.write(text)) await new Promise((done) => out.once("drain", done));
  }
  await new Promise((done) => out.end(done));
}

/** Runs the command in a process that tells its CPU time and its greatest memory at its end. */
const TELL = `process.on("exit", () => { const { user, system } = process.cpuUsage();
  require("fs").writeSync(2, JSON.stringify({ cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1024 })); });`;
function replay(label, files, count, { versions = [before, after], of = main } = {}) {
  const started = performance.now();
  const args = ["--no-warnings", "-e", `${TELL} require(${JSON.stringify(of)})`];
  const run = spawnSync(
    process.execPath,
    [...args, "--", "rules", "replay", ...files, "--before", versions[0], "--after", versions[1]],
    { encoding: "utf8", maxBuffer: 1e8 },
  );
  if (run.status !== 0) throw new Error(run.stderr);
  const seconds = (performance.now() - started) / 1000;
  const { cpu, memory } = JSON.parse(run.stderr);
  const perCore = count / cpu;
  console.log(
    `${label.padEnd(36)} ${seconds.toFixed(1).padStart(6)} s  ${Math.round(count / seconds)
      .toLocaleString("en")
      .padStart(9)} requests/s  ` +
      `${Math.round(perCore).toLocaleString("en").padStart(9)} a second of CPU  ${memory.toFixed(0).padStart(5)} MB`,
  );
  return run.stdout;
}

const [before, after] = [write("before.json", rules(false)), write("after.json", rules(true))];
try {
  const [small, large] = [join(folder, "small.ndjson"), join(folder, "large.ndjson")];
  await writeLog(small, REQUESTS / 4);
  await writeLog(large, REQUESTS);
  console.log(
    `100 rules, ${REQUESTS.toLocaleString("en")} requests of ${Math.round(statSync(large).size / REQUESTS)} bytes`,
  );
  replay("a quarter of the log", [small], REQUESTS / 4);
  const shown = replay("the log", [large], REQUESTS);
  if (other !== undefined) {
    const same = replay("the other version", [large], REQUESTS, { of: other }) === shown;
    console.log(same ? "both versions say the same" : "THE OTHER VERSION SAYS SOMETHING ELSE");
  }
  execFileSync("gzip", ["-k", large]);
  replay("gzip", [`${large}.gz`], REQUESTS);
  const limited = [
    write("limit-before.json", rules(false), [limit(3)]),
    write("limit-after.json", rules(true), [limit(2)]),
  ];
  replay("with a rate limit", [large], REQUESTS, { versions: limited });
  console.log(shown.split("\n").slice(0, 6).join("\n"));
} finally {
  rmSync(folder, { recursive: true });
}
