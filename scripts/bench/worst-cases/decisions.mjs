import { createRequire } from "node:module";
import { rulesOf } from "./rules.mjs";

const require = createRequire(import.meta.url);
const { assignRefs } = require("../../../dist/core/rules/assign-refs.js");
const { diffRules } = require("../../../dist/core/rules/diff.js");
const { findConflict, recogniseRules } = require("../../../dist/provider/ownership/conflict.js");
const { decideTakeover } = require("../../../dist/provider/ownership/takeover.js");
const { keyedEntries: byRef, deployedRulesById } = require("../../../dist/core/rules/keyed.js");
const { Rule } = require("../../../dist/core/rules/rule.js");
const { UNKNOWN } = require("../../../dist/core/model/unknown.js");

const keyed = (refs, rules) => byRef(refs.map((ref, at) => ({ ref, rule: rules[at] })));
const refsOf = (word, count) => Array.from({ length: count }, (_, index) => `${word}-${index}`);
const deployed = (refs, rules, word) =>
  rules.map((rule, index) => ({ ...rule, ref: refs[index], id: `${word}${index}`, version: "1" }));

/** Decisions about rules that every call makes. */
export const DECISIONS = {
  "every rule rewritten, no refs": (count, edition) => {
    const known = rulesOf(count, `old${edition}`).map((rule, index) => ({ ref: `r${index}`, rule: Rule.of(rule) }));
    const wanted = rulesOf(count, `new${edition}`);
    return () => assignRefs(known, wanted);
  },
  "every rule contains an unknown": (count, edition) => {
    const known = rulesOf(count, `old${edition}`).map((rule, index) => ({ ref: `r${index}`, rule: Rule.of(rule) }));
    const wanted = rulesOf(count, `old${edition}`).map((rule) => ({ ...rule, expression: UNKNOWN }));
    return () => assignRefs(known, wanted);
  },
  "all rules are identical": (count, edition) => {
    const wanted = Array.from({ length: count }, () => ({ ...rulesOf(1, `same${edition}`)[0] }));
    return () => assignRefs([], wanted);
  },
  "every ref renamed, all reversed": (count, edition) => {
    const rules = rulesOf(count, `old${edition}`);
    const before = keyed(refsOf("old", count), rules);
    const known = before.order.map((ref) => ({ ref, rule: before.rules[ref] }));
    const wanted = rulesOf(count, `old${edition}`)
      .toReversed()
      .map((rule, index) => ({ ...rule, ref: `new-${index}` }));
    return () => {
      const { refs } = assignRefs(known, wanted);
      return diffRules(before, keyed(refs, wanted));
    };
  },
  "rewritten by another tool": (count, edition) => {
    const refs = refsOf("own", count);
    const rules = rulesOf(count, `old${edition}`);
    const seen = {
      ruleIds: Object.fromEntries(refs.map((ref, index) => [ref, `a${index}`])),
      deployedRules: deployedRulesById(deployed(refs, rules, "a")),
      description: "",
    };
    const there = deployed(refsOf("other", count), rulesOf(count, `new${edition}`), "b");
    const actual = { rules: deployedRulesById(there), description: "" };
    const wanted = { ...keyed(refs, rulesOf(count, `old${edition}`)), description: "" };
    return () => [findConflict(seen, actual, wanted), recogniseRules(seen, wanted, actual.rules)];
  },
  "moved by another tool": (count, edition) => {
    const refs = refsOf("own", count);
    const there = deployed(refs, rulesOf(count, `old${edition}`), "a");
    const ruleIds = Object.fromEntries(refs.map((ref, index) => [ref, `a${index}`]));
    const seen = { ruleIds, deployedRules: deployedRulesById(there), description: "" };
    const actual = { rules: deployedRulesById(there.map((rule) => ({ ...rule })).toReversed()), description: "" };
    const wanted = { ...keyed(refs, rulesOf(count, `new${edition}`)), description: "" };
    return () => findConflict(seen, actual, wanted);
  },
  "taken over, every rule replaced": (count, edition) => {
    const existing = { rules: deployed(refsOf("there", count), rulesOf(count, `old${edition}`), "a") };
    const wanted = rulesOf(count, `new${edition}`);
    return () => decideTakeover(existing, wanted, "replace");
  },
};
