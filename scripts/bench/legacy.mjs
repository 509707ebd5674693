// What 125 page rules and 1,000 access rules take to convert and to compare, beside the analysis of the new rules. Fails where it is
// more than five times as long.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { migrateZone } = require("../../dist/tools/generator/index.js");
const { analyse } = require("../../dist/core/analysis/index.js");
const { listsOf } = require("../../dist/core/legacy/new-rules.js");

const MOST = 5;
const SETTINGS = [
  (at) => ({ id: "forwarding_url", value: { url: `https://new.example.com/${at}/$1`, status_code: 301 } }),
  () => ({ id: "ssl", value: "full" }),
  () => ({ id: "cache_level", value: "bypass" }),
];
const hex = (kind, at) => `${kind}${String(at).padStart(11, "0")}`.padEnd(32, "0");
const pageRules = Array.from({ length: 125 }, (_, at) => {
  const value = at % 5 === 4 ? `*.example.com/s${at}/*` : `www.example.com/d${at}/*`;
  const targets = [{ target: "url", constraint: { operator: "matches", value } }];
  return { id: hex("p", at), targets, actions: [SETTINGS[at % 3](at)], priority: 1000 - at, status: "active" };
});
const accessRules = Array.from({ length: 1000 }, (_, at) => ({
  id: hex("a", at),
  mode: at % 2 === 0 ? "block" : "managed_challenge",
  configuration: { target: "ip", value: `10.0.${at >> 8}.${at & 255}` },
}));
const wire = { pageRules, accessRules, userAgents: [], lockdowns: [], rateLimits: [] };
const zone = { id: hex("z", 0), name: "example.com", plan: "enterprise", rulesets: [], wire };

const timed = (run) => {
  const start = performance.now();
  return [run(), performance.now() - start];
};
const rounds = [1, 2, 3].map(() => {
  const [{ rulesets, migration }, migrating] = timed(() => migrateZone(zone));
  const lists = listsOf(migration.conversion.lists);
  const [, analysing] = timed(() => analyse({ rulesets: rulesets.map((ruleset) => ({ ...ruleset, lists })) }));
  return { migrating, analysing, migration };
});
const best = (name) => Math.min(...rounds.map((round) => round[name]));
const share = best("migrating") / best("analysing");
const { tried, differences, proof } = rounds[0].migration;
console.log(
  `convert and compare ${best("migrating").toFixed(0)} ms, analyse ${best("analysing").toFixed(0)} ms: ${share.toFixed(2)} times`,
);
console.log(`${tried} example requests, ${differences.length} differences, proved: ${proof.isEqual}`);
if (share > MOST || differences.length > 0 || !proof.isEqual) process.exitCode = 1;
