// Measures the worst cases of operations on 250, 500 and 1,000 rules of about 1 kB each: how the time grows, and its ratio to
// one JSON round trip of the same rules.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { assignRefs } = require("../dist/provider/rules/assign-refs.js");
const { diffRules } = require("../dist/provider/rules/diff.js");
const { findConflict, recogniseRules } = require("../dist/provider/ownership/conflict.js");
const { decideTakeover } = require("../dist/provider/ownership/takeover.js");
const { keyedEntries: byRef, deployedRulesById } = require("../dist/provider/rules/keyed.js");
const { Rule } = require("../dist/provider/rules/rule.js");
const { UNKNOWN } = require("../dist/provider/model/unknown.js");

const SIZES = [250, 500, 1000];
/** The minimum rounds and total time of a case, so that other processes hardly affect its fastest round. */
const ROUNDS = 7;
const LEAST_MS = 400;

/** Rules without refs, about a kilobyte each. */
const rulesOf = (count, word) =>
  Array.from({ length: count }, (_, index) => ({
    action: "block",
    description: `${word} ${index}`,
    expression: `http.host in {${Array.from({ length: 32 }, (_item, at) => `"${word}-${index}-${at}.example.com"`).join(" ")}}`,
  }));
const keyed = (refs, rules) => byRef(refs.map((ref, at) => ({ ref, rule: rules[at] })));
const refsOf = (word, count) => Array.from({ length: count }, (_, index) => `${word}-${index}`);
const deployed = (refs, rules, word) =>
  rules.map((rule, index) => ({ ...rule, ref: refs[index], id: `${word}${index}`, version: "1" }));

/** Each case creates new rules, so that no round reuses results of another, and returns the function to time. */
const CASES = {
  "every rule rewritten, no refs": (count) => {
    const known = rulesOf(count, "old").map((rule, index) => ({ ref: `r${index}`, rule: new Rule(rule) }));
    const wanted = rulesOf(count, "new");
    return () => assignRefs(known, wanted);
  },
  "every rule contains an unknown": (count) => {
    const known = rulesOf(count, "old").map((rule, index) => ({ ref: `r${index}`, rule: new Rule(rule) }));
    const wanted = rulesOf(count, "old").map((rule) => ({ ...rule, expression: UNKNOWN }));
    return () => assignRefs(known, wanted);
  },
  "all rules are identical": (count) => {
    const wanted = Array.from({ length: count }, () => ({ ...rulesOf(1, "same")[0] }));
    return () => assignRefs([], wanted);
  },
  "every ref renamed, all reversed": (count) => {
    const rules = rulesOf(count, "old");
    const before = keyed(refsOf("old", count), rules);
    const known = before.order.map((ref) => ({ ref, rule: before.rules[ref] }));
    const wanted = rulesOf(count, "old")
      .toReversed()
      .map((rule, index) => ({ ...rule, ref: `new-${index}` }));
    return () => {
      const { refs } = assignRefs(known, wanted);
      return diffRules(before, keyed(refs, wanted));
    };
  },
  "rewritten by another tool": (count) => {
    const refs = refsOf("own", count);
    const rules = rulesOf(count, "old");
    const seen = {
      ruleIds: Object.fromEntries(refs.map((ref, index) => [ref, `a${index}`])),
      deployedRules: deployedRulesById(deployed(refs, rules, "a")),
      description: "",
    };
    const there = deployed(refsOf("other", count), rulesOf(count, "new"), "b");
    const actual = { rules: deployedRulesById(there), description: "" };
    const wanted = { ...keyed(refs, rulesOf(count, "old")), description: "" };
    return () => [findConflict(seen, actual, wanted), recogniseRules(seen, wanted, actual.rules)];
  },
  "moved by another tool": (count) => {
    const refs = refsOf("own", count);
    const there = deployed(refs, rulesOf(count, "old"), "a");
    const ruleIds = Object.fromEntries(refs.map((ref, index) => [ref, `a${index}`]));
    const seen = { ruleIds, deployedRules: deployedRulesById(there), description: "" };
    const actual = { rules: deployedRulesById(there.map((rule) => ({ ...rule })).toReversed()), description: "" };
    const wanted = { ...keyed(refs, rulesOf(count, "new")), description: "" };
    return () => findConflict(seen, actual, wanted);
  },
  "taken over, every rule replaced": (count) => {
    const existing = { rules: deployed(refsOf("there", count), rulesOf(count, "old"), "a") };
    const wanted = rulesOf(count, "new");
    return () => decideTakeover(existing, wanted, "replace");
  },
};

/** The time of the fastest round, in milliseconds: other processes affect it least. */
function time(prepare) {
  const times = [];
  for (let spent = 0; times.length < ROUNDS || spent < LEAST_MS; spent += times.at(-1)) {
    const work = prepare();
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

const floors = SIZES.map((count) => {
  const rules = rulesOf(count, "old");
  return time(() => () => JSON.parse(JSON.stringify(rules)));
});
console.log(
  `${"rules".padEnd(38)} ${SIZES.map((size) => String(size).padStart(10)).join("")}   growth     times the floor`,
);
console.log(`${"floor: JSON round trip, ms".padEnd(38)} ${floors.map((ms) => ms.toFixed(2).padStart(10)).join("")}`);
for (const [name, make] of Object.entries(CASES)) {
  const times = SIZES.map((count) => time(() => make(count)));
  const growth = times.slice(1).map((ms, index) => (ms / times[index]).toFixed(1));
  const ratio = times.map((ms, index) => ms / floors[index]);
  console.log(
    `${name.padEnd(38)} ${times.map((ms) => ms.toFixed(1).padStart(10)).join("")}   ${growth.join(", ").padEnd(10)} ${Math.max(
      ...ratio,
    )
      .toFixed(0)
      .padStart(6)}`,
  );
}
