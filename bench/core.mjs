// The cost of a preview in the provider, compared with one JSON round trip of the same rules. Prints ratios.
import { createRequire } from "node:module";
import { Bench } from "tinybench";

const require = createRequire(import.meta.url);
const { assignRefs } = require("../dist/provider/rules/assign-refs.js");
const { checkRules } = require("../dist/provider/validation/index.js");
const { diffRules } = require("../dist/provider/rules/diff.js");
const { keyedEntries } = require("../dist/provider/rules/keyed.js");
const { Rule } = require("../dist/provider/rules/rule.js");

const rules = Array.from({ length: 1000 }, (_, index) => ({
  action: "block",
  description: `Rule ${String(index)}`,
  expression: `http.host eq "h${String(index)}.example.com" and ip.src in {192.0.2.0/24}`,
}));
const { refs } = assignRefs([], rules);
/** The same rules as other values, as a run receives them, so that nothing is known of them yet. */
const received = (list) => list.map((rule) => ({ ...rule }));
const known = () => received(rules).map((rule, index) => ({ ref: refs[index], rule: Rule.of(rule) }));
const keyed = () => keyedEntries(received(rules).map((rule, index) => ({ ref: refs[index], rule })));
const edited = rules
  .map((rule, index) => (index % 10 === 0 ? { ...rule, expression: `ssl and ${rule.expression}` } : rule))
  .toReversed();
const place = { phase: "http_request_firewall_custom", kind: "zone" };

const bench = new Bench({ time: 1000 })
  .add("floor: JSON round trip", () => void JSON.parse(JSON.stringify(rules)))
  .add("check", () => void checkRules(rules, place))
  .add("identity, unchanged", () => void assignRefs(known(), received(rules)))
  .add("identity, reversed and every tenth edited", () => void assignRefs(known(), received(edited)))
  .add("diff", () => void diffRules(keyed(), keyed()));
await bench.run();
const floor = bench.getTask("floor: JSON round trip").result.latency.p50;
for (const { name, result } of bench.tasks) {
  console.log(
    `${name.padEnd(42)} ${result.latency.p50.toFixed(2).padStart(8)} ms  ${(result.latency.p50 / floor).toFixed(1).padStart(6)} times the floor`,
  );
}
