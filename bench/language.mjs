// The cost of parsing and checking expressions, compared with one JSON round trip of the same text, and the cost of evaluating
// compiled rules for a request, compared with a handwritten predicate. Prints ratios.
import { createRequire } from "node:module";
import { Bench } from "tinybench";

const require = createRequire(import.meta.url);
const { checkExpression, compileExpression, makeRequest, normalForm } = require("../dist/language/index.js");

const COUNT = 1000;
const LENGTH = 200;

/** Realistic rules, all different; `test` is the same rule written by hand. */
const KINDS = [
  (n) => ({
    text: `(http.host eq "shop${n}.example.com" and starts_with(http.request.uri.path, "/admin/${n}"))`,
    test: (r) => r.host === `shop${n}.example.com` && r.path.startsWith(`/admin/${n}`),
  }),
  (n) => ({
    text: `(ip.src.country in {"AQ" "BV" "X${n % 10}"} and not cf.client.bot and http.request.method eq "POST")`,
    test: (r) => ["AQ", "BV", `X${n % 10}`].includes(r.country) && !r.bot && r.method === "POST",
  }),
  (n) => ({
    text: `(http.user_agent contains "scanner/${n}" or http.request.uri.query contains "cmd=${n}" or cf.bot_management.score lt ${n % 10})`,
    test: (r) => r.agent.includes(`scanner/${n}`) || r.query.includes(`cmd=${n}`) || r.score < n % 10,
  }),
  (n) => ({
    text: `(any(http.request.headers["x-tenant"][*] eq "t${n}") and http.request.uri.path ne "/health/${n}")`,
    test: (r) => (r.headers.get("x-tenant") ?? []).some((v) => v === `t${n}`) && r.path !== `/health/${n}`,
  }),
  (n) => ({
    text: `(http.request.uri.path matches "^/api/v${n}/[a-z]+/\\\\d+$" and http.request.version in {"HTTP/1.0" "HTTP/1.1"})`,
    test: (
      (pattern) => (r) =>
        pattern.test(r.path) && ["HTTP/1.0", "HTTP/1.1"].includes(r.version)
    )(new RegExp(`^/api/v${n}/[a-z]+/\\d+$`)),
  }),
];
const rules = Array.from({ length: COUNT }, (_, n) => KINDS[n % KINDS.length](n));

/** The rules' expressions, padded to 200 characters with more conditions. */
const expressions = rules.map(({ text }, n) => {
  let padded = text;
  while (padded.length < LENGTH - 30) padded += ` or http.referer eq "r${n}"`;
  return padded.padEnd(LENGTH, " ");
});

const request = makeRequest({
  method: "POST",
  url: "https://shop.example.com/api/v1/items/12?next=%2F&page=3",
  headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64)", "x-tenant": "acme" },
  ip: "203.0.113.9",
  country: "DE",
  asn: 64496,
  botScore: 80,
  verifiedBot: false,
  httpVersion: "2",
});
const byHand = {
  host: "shop.example.com",
  path: "/api/v1/items/12",
  query: "next=%2F&page=3",
  country: "DE",
  bot: false,
  score: 80,
  method: "POST",
  version: "HTTP/2",
  agent: "Mozilla/5.0 (X11; Linux x86_64)",
  headers: new Map([["x-tenant", ["acme"]]]),
};
const compiled = rules.map(({ text }) => compileExpression(text));
for (const [index, { test }] of rules.entries()) {
  if (compiled[index].matches(request) !== test(byHand)) throw new Error(`rule ${index} differs: ${rules[index].text}`);
}

const findings = expressions.flatMap((text) => checkExpression(text).errors);
if (findings.length > 0) throw new Error(findings[0].message);

const bench = new Bench({ time: 1000 })
  .add("floor: JSON round trip of the text", () => void JSON.parse(JSON.stringify(expressions)))
  .add("parse and check 1,000 expressions", () => {
    for (const text of expressions) checkExpression(text);
  })
  .add("normal form of 1,000 expressions", () => {
    for (const text of expressions) normalForm(text);
  })
  .add("floor: 1,000 predicates by hand", () => {
    let count = 0;
    for (const { test } of rules) if (test(byHand)) count += 1;
    return count;
  })
  .add("1,000 compiled rules", () => {
    let count = 0;
    for (const rule of compiled) if (rule.matches(request)) count += 1;
    return count;
  });
await bench.run();

const LIMITS = { "parse and check 1,000 expressions": 60, "1,000 compiled rules": 20 };
let floor = 1;
for (const { name, result } of bench.tasks) {
  const time = result.latency.p50;
  if (name.startsWith("floor")) floor = time;
  const limit = LIMITS[name] === undefined ? "" : `  (at most ${String(LIMITS[name])})`;
  console.log(
    `${name.padEnd(42)} ${time.toFixed(3).padStart(8)} ms  ${(time / floor).toFixed(1).padStart(6)} times the floor${limit}`,
  );
}
