// Measures the analysis: how many planted defects it finds among correct rules, how many of the conditions that imply others it
// proves to do so, how many realistic edits it decides, how long it takes to analyse rules and to
// compare an edit of one rule, and how these times grow with the number of rules.
import { createRequire } from "node:module";
import { realisticEdits } from "./analysis-edits.mjs";
import { FAMILIES } from "./analysis-families.mjs";
import { zonesWithInvariants } from "./analysis-invariants.mjs";

const require = createRequire(import.meta.url);
const { analyse, compare, isMet, prove } = require("../dist/analysis/index.js");
const { judgeZones } = require("../dist/invariants/judge.js");
const { compileProgram, simulate } = require("../dist/simulator/index.js");

const PHASE = "http_request_firewall_custom";
const zone = (rules) => [{ kind: "zone", phase: PHASE, rules }];
const block = (ref, expression, more = {}) => ({ ref, action: "block", expression, ...more });

/** Realistic rules, all different, none of which affects another. */
const KINDS = [
  (n) => `(http.host eq "shop${n}.example.com" and starts_with(http.request.uri.path, "/admin/${n}"))`,
  (n) => `(ip.src.country in {"AQ" "BV" "Q${n % 10}"} and not cf.client.bot and http.host eq "post${n}.example.com")`,
  (n) => `(http.user_agent contains "scanner/${n};" or http.request.uri.query contains "cmd=${n}&")`,
  (n) => `(any(http.request.headers["x-tenant"][*] eq "t${n}") and http.request.uri.path ne "/health/${n}")`,
  (n) =>
    `(http.request.uri.path matches "^/api/v${n}/[a-z]+/\\\\d+$" and http.request.version in {"HTTP/1.0" "HTTP/1.1"})`,
];
const soundRules = (count) => Array.from({ length: count }, (_, n) => block(`rule-${n}`, KINDS[n % KINDS.length](n)));

/** In each, the first item is the check that must report the last rule; the other items are the rules. */
const DEFECTS = [
  ["never-matches", "cf.threat_score gt 50 and cf.threat_score lt 10"],
  ["never-matches", 'ip.src.country eq "DE" and ip.src.country eq "FR"'],
  ["never-matches", 'http.request.method eq "get"'],
  ["never-matches", 'any(http.request.headers["X-Api-Key"][*] eq "x")'],
  ["never-matches", 'lower(http.user_agent) contains "BadBot"'],
  ["never-matches", "http.response.code eq 404"],
  ["never-matches", 'to_string(ssl) eq "yes"'],
  ["never-matches", 'http.request.uri.path matches "^/x[0-9]+$" and ends_with(http.request.uri.path, "b")'],
  ["always-matches", 'http.host eq "p" or http.host ne "p"'],
  ["always-matches", "ip.src in {0.0.0.0/0 ::/0}"],
  ["covered", 'starts_with(http.request.uri.path, "/p1")', 'http.request.uri.path eq "/p1/q" and ssl'],
  ["covered", "ip.src in {198.51.100.0/24}", "ip.src in {198.51.100.0/25} and ssl"],
  ["covered", 'http.host eq "p2" and ssl', 'http.host eq "p2" and not ssl', 'http.host eq "p2"'],
  [
    "covered",
    'http.request.uri.path matches "^/p3/"',
    'http.request.uri.path strict wildcard r"/p3/*.php" and http.host eq "a"',
  ],
  ["twin", 'http.host eq "p4" and ssl', 'ssl and http.host eq "p4"'],
  ["twin", 'not (http.host ne "p5" or ssl)', 'http.host in {"p5"} and not ssl'],
  ["twin", "ip.src in {192.0.2.0/25 192.0.2.128/25}", "ip.src in {192.0.2.0..192.0.2.255}"],
  ["redundant-condition", 'http.host eq "p6" and http.host contains "p"'],
  ["redundant-condition", 'starts_with(http.request.uri.path, "/p7") or http.request.uri.path eq "/p7/x"'],
  ["contained-member", "ip.src in {10.0.0.0/8 10.1.0.0/16}"],
  ["contained-member", 'http.host in {"p8" "p9" "p8"}'],
  ["contained-member", "ip.src.asnum in {64500..64510 64505}"],
  ["encoded-text", 'url_decode(http.request.uri.path) contains "%2e%2e"'],
  ["encoded-text", 'http.request.uri.path eq "/straße"'],
  ["header-name-case", 'any(http.request.headers.names[*] eq "X-Debug")'],
  ["late-skip", { action: "skip", expression: "ip.src eq 192.0.2.1", actionParameters: { ruleset: "current" } }],
];

let found = 0;
for (const [check, ...rules] of DEFECTS) {
  const planted = rules.map((rule, n) =>
    typeof rule === "string" ? block(`planted-${n}`, rule) : { ref: `planted-${n}`, ...rule },
  );
  const last = planted.at(-1).ref;
  const findings = analyse({ rulesets: zone([...soundRules(20), ...planted]) });
  const hit = findings.some((finding) => finding.check === check && finding.rule.ref === last);
  const alarms = findings.filter(({ rule }) => rule.ref.startsWith("rule-"));
  if (hit && alarms.length === 0) found += 1;
  else
    console.log(
      `missed: ${check} of ${JSON.stringify(rules)}${alarms.length > 0 ? `, and a false alarm: ${alarms[0].message}` : ""}`,
    );
}
console.log(`planted defects found: ${found} of ${DEFECTS.length}, with no false alarm about the other rules\n`);

/** Each pair of conditions, the first of which implies the second one, asked about in four ways. */
const complete = (rules) => [{ kind: "zone", phase: "http_request_transform", rules: [] }, ...zone(rules)];
const reports = (rules, check) =>
  analyse({ rulesets: complete(rules) }).some((finding) => finding.rule.ref === "inner" && check(finding));
const isCovered = ({ check, sameAction }) => check === "covered" || (check === "twin" && sameAction);
const WAYS = {
  covered: (inner, outer) => reports([block("outer", outer), block("inner", inner)], isCovered),
  never: (inner, outer) =>
    reports([block("inner", `(${inner}) and not (${outer})`)], ({ check }) => check === "never-matches"),
  "jointly covered": (inner, outer) => {
    const [get, others] = ["eq", "ne"].map((op) => block(op, `(${outer}) and http.request.method ${op} "GET"`));
    return reports([get, others, block("inner", inner)], isCovered);
  },
  compared: (inner, outer) => {
    const before = complete([block("outer", outer), block("inner", inner)]);
    return compare({ before, after: complete([block("outer", outer)]) }).verdict === "equivalent";
  },
};
for (const [way, ask] of Object.entries(WAYS)) {
  const shown = FAMILIES.filter(([inner, outer]) => ask(inner, outer)).length;
  const share = ((shown / FAMILIES.length) * 100).toFixed(1);
  console.log(`implied conditions, ${way.padEnd(16)}${shown} of ${FAMILIES.length} (${share} %)`);
}

/** How many edits of each kind are decided: in firewall rules, in rate limits, in rewrites, and in firewall rules after rewrites. */
const decided = new Map();
for (const { name, before, after } of realisticEdits(1000)) {
  const counts = decided.get(name) ?? { all: 0, known: 0 };
  decided.set(name, counts);
  counts.all += 1;
  if (compare({ before, after }).verdict !== "unknown") counts.known += 1;
}
const sum = (name) => Array.from(decided.values()).reduce((total, counts) => total + counts[name], 0);
const share = ((sum("known") / sum("all")) * 100).toFixed(1);
console.log(`\nrealistic edits decided: ${share} % of ${sum("all")}`);
for (const [name, { all, known }] of decided) console.log(`  ${name}: ${known} of ${all}`);
console.log("");

/** Whether the simulator does to a request what an invariant forbids, at the latest when a rate limit is exceeded. */
const isConfirmed = (rulesets, { must }, { input }) => {
  const program = compileProgram(rulesets);
  let limits;
  for (let sent = 0; sent < 30; sent += 1) {
    const seen = simulate({ program, request: input, zone: {}, limits, response: { status: 200 }, clock: 0 });
    if (isMet(must, seen) === "violated") return true;
    limits = seen.limits;
  }
  return false;
};

/** How many invariants are decided, of which half do not hold, and whether each violation is one. */
const proofs = zonesWithInvariants().flatMap(({ rulesets, invariants }) =>
  prove({ rulesets, invariants }).map((proof, index) => {
    const invariant = invariants[index];
    const isRight =
      proof.verdict === "violated"
        ? !invariant.holds && isConfirmed(rulesets, invariant, proof)
        : proof.verdict === "proved" && invariant.holds && proof.isVacuous !== true;
    return proof.verdict === "unknown" ? "unknown" : isRight ? "decided" : "wrong";
  }),
);
const proved = (verdict) => proofs.filter((one) => one === verdict).length;
console.log(
  `invariants over zones of all phases: ${proved("decided")} of ${proofs.length} decided, ${proved("wrong")} wrong, ${proved("unknown")} unknown\n`,
);

const timed = (run) => {
  const times = Array.from({ length: 3 }, () => {
    const begin = performance.now();
    run();
    return performance.now() - begin;
  });
  return Math.min(...times);
};
/** The same, where every other rule is an exception from all rules after it. */
const withExceptions = (count) =>
  soundRules(count).map((rule, n) =>
    n % 2 === 0 ? { ...rule, action: "skip", actionParameters: { ruleset: "current" } } : rule,
  );
const LIMITS = { 1000: { analyse: 2000, compare: 500 } };
/** The limit of a preview. */
const STEPS = 3_000_000;
const report = (count, rules, what, limits, steps) => {
  const edited = rules.map((rule, n) =>
    n === count / 2 ? { ...rule, expression: `${rule.expression} and ssl` } : rule,
  );
  const whole = timed(() => analyse({ rulesets: zone(rules), steps }));
  const edit = timed(() => compare({ before: zone(rules), after: zone(edited), steps }));
  const most = limits === undefined ? "" : `   (at most ${limits.analyse} and ${limits.compare} ms)`;
  console.log(
    `${String(count).padStart(5)} ${what}: analysed in ${whole.toFixed(0).padStart(5)} ms, an edit of one in ${edit.toFixed(0).padStart(4)} ms${most}`,
  );
};
/** Invariants in zones with the same rules, as those have that one program manages. */
const [pattern] = zonesWithInvariants();
const sameZones = Array.from({ length: 1000 }, (_, n) => ({
  label: `zone ${n}`,
  zone: { id: `zone-${n}`, name: `zone-${n}.example.com`, plan: "pro" },
  rulesets: [...pattern.rulesets, ...zone(soundRules(40))].map((one, index) => ({ ...one, id: `${n}-${index}` })),
}));
const named = zonesWithInvariants()
  .flatMap(({ invariants }) => invariants)
  .slice(0, 20)
  .map((one, index) => ({ ...one, name: `invariant ${index}`, zones: {}, except: [] }));
const judging = { invariants: named, zones: sameZones, now: new Date("2026-01-01"), isWhole: true };
console.log(
  `20 invariants in 1000 zones with the same rules: ${timed(() => judgeZones(judging)).toFixed(0)} ms (at most 10000 ms)`,
);

for (const count of [250, 500, 1000, 2000]) report(count, soundRules(count), "rules", LIMITS[count]);
for (const count of [250, 500, 1000])
  report(count, withExceptions(count), "rules, half of them exceptions, in a preview", undefined, STEPS);
