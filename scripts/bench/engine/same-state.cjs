// A dynamic provider that does nothing except keep the same state as this package does for the same program, because the SDK
// and the engine spend time on every value in the state, whichever provider it belongs to.
const ID = "0123456789abcdef0123456789abcdef";
const LAST_UPDATED = "2026-01-01T00:00:00.000000Z";

function stateOf(inputs, version) {
  const deployedRules = Object.values(inputs.rules).map(({ action, description, ref }) => {
    return { action, description, enabled: true, id: ID, lastUpdated: LAST_UPDATED, ref, version };
  });
  const ruleIds = Object.fromEntries(deployedRules.map(({ ref }) => [ref, ID]));
  const answer = {
    deployedRules: JSON.stringify(deployedRules),
    lastUpdated: LAST_UPDATED,
    ruleIds,
    rulesetId: ID,
    version,
  };
  return { ...inputs, rules: JSON.stringify(inputs.rules), ...answer };
}

exports.check = async (olds, { zoneId, phase, __urn, rules, __provider }) => ({
  inputs: {
    __provider,
    __urn,
    zoneId,
    phase,
    rules: Object.fromEntries(rules.map((rule) => [rule.ref, rule])),
    order: rules.map(({ ref }) => `${ref}\n`).join(""),
    rulesInForce: rules.length,
  },
});
exports.diff = async (id, olds, news) => ({ changes: olds.rules !== JSON.stringify(news.rules) });
exports.create = async (inputs) => ({
  id: `zones/${inputs.zoneId}/phases/${inputs.phase}`,
  outs: stateOf(inputs, "1"),
});
exports.update = async (id, olds, news) => ({ outs: stateOf(news, String(Number(olds.version) + 1)) });
exports.read = async (id, props) => ({ id, props });
exports.delete = async () => undefined;
