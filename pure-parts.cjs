/**
 * The pure parts: values in, values out. They use no clock, random numbers, files, environment or network, and not the language
 * or time zone of the machine, so tables of cases can test them completely. dependency-cruiser lets them import only pure parts;
 * ESLint forbids the globals, which need no import. Both read this list.
 *
 * A folder ends with a slash and includes everything below it; `*` stands for any one name.
 */
const pureParts = [
  "analysis/",
  "audit/",
  "cli/certificates/day.ts",
  "cli/certificates/html-style.ts",
  "cli/certificates/html-timeline.ts",
  "cli/certificates/html.ts",
  "cli/certificates/notes.ts",
  "cli/certificates/report.ts",
  "cli/certificates/words.ts",
  "cli/doctor/check-result.ts",
  "cli/doctor/credentials.ts",
  "cli/doctor/machine.ts",
  "cli/doctor/render.ts",
  "cli/doctor/versions.ts",
  "cli/drift/render.ts",
  "cli/drift/stack-drift.ts",
  "cli/drift/state.ts",
  "cli/managed-names.ts",
  "cli/markdown.ts",
  "cli/page/",
  "cli/report/render/",
  "cli/rules/check/checks.ts",
  "cli/rules/check/finding.ts",
  "cli/rules/check/meaning-checks.ts",
  "cli/rules/check/plan-checks.ts",
  "cli/rules/check/rule-checks.ts",
  "cli/rules/diff/render.ts",
  "cli/rules/explain/uses.ts",
  "cli/rules/explain/words.ts",
  "cli/rules/replay/count.ts",
  "cli/rules/replay/defaults.ts",
  "cli/rules/replay/har.ts",
  "cli/rules/replay/render.ts",
  "cli/rules/replay/request-log.ts",
  "cli/rules/test/expectation.ts",
  "cli/rules/test/trace-request.ts",
  "cli/rules/test/trace.ts",
  "cli/summarize/deployed-rules.ts",
  "cli/summarize/drift-steps.ts",
  "cli/summarize/effect.ts",
  "cli/summarize/markdown.ts",
  "cli/summarize/moves.ts",
  "cli/summarize/not-judged.ts",
  "cli/summarize/one-rule.ts",
  "cli/summarize/preview.ts",
  "cli/summarize/requests.ts",
  "cli/summarize/rule-rows.ts",
  "cli/summarize/scope-path.ts",
  "cli/summarize/secret-changes.ts",
  "cli/summarize/single-rule-requests.ts",
  "cli/summarize/summarize.ts",
  "cli/summarize/summary.ts",
  "cli/summarize/text.ts",
  "cli/summarize/words.ts",
  "cli/table.ts",
  "cli/versions/deletion.ts",
  "cli/versions/effect.ts",
  "generator/",
  "language/",
  "provider/certificates/",
  "provider/chain/",
  "provider/client/cloudflare-package.ts",
  "provider/client/codec.ts",
  "provider/client/long-run.ts",
  "provider/client/pointer.ts",
  "provider/engine/description.ts",
  "provider/engine/display.ts",
  "provider/engine/stored-as-json.ts",
  "provider/engine/incomplete.ts",
  "provider/engine/inputs.ts",
  "provider/engine/named-type.ts",
  "provider/engine/secrets.ts",
  "provider/http/envelope.ts",
  "provider/http/format.ts",
  "provider/http/hints.ts",
  "provider/http/permissions.ts",
  "provider/http/quota.ts",
  "provider/http/retry.ts",
  "provider/http/window.ts",
  "provider/kinds/*/description.ts",
  "provider/kinds/*/state.ts",
  "provider/kinds/certificates/*/description.ts",
  "provider/kinds/certificates/*/state.ts",
  "provider/kinds/certificates/address.ts",
  "provider/kinds/certificates/page-budget.ts",
  "provider/kinds/certificates/taken-over.ts",
  "provider/kinds/rule-type.ts",
  "provider/kinds/ruleset-rule/arguments.ts",
  "provider/kinds/ruleset-rule/checked-inputs.ts",
  "provider/kinds/ruleset-rule/comparison.ts",
  "provider/kinds/ruleset-rule/desired.ts",
  "provider/kinds/ruleset-rule/plan.ts",
  "provider/kinds/ruleset-rule/position.ts",
  "provider/kinds/ruleset-rule/ref.ts",
  "provider/kinds/ruleset/checked-inputs.ts",
  "provider/kinds/ruleset/desired.ts",
  "provider/kinds/ruleset/foreign-rules.ts",
  "provider/kinds/ruleset/key-rules.ts",
  "provider/kinds/ruleset/ledger.ts",
  "provider/kinds/ruleset/options.ts",
  "provider/kinds/ruleset/plan/",
  "provider/kinds/ruleset/records.ts",
  "provider/kinds/ruleset/restore/masked-paths.ts",
  "provider/kinds/ruleset/restore/rule-list.ts",
  "provider/kinds/ruleset/secret-paths.ts",
  "provider/kinds/ruleset/secret-refs.ts",
  "provider/kinds/ruleset/shared/join.ts",
  "provider/kinds/ruleset/shared/state.ts",
  "provider/kinds/ruleset/upgrade.ts",
  "provider/kinds/waf-migration/adjustments-type.ts",
  "provider/kinds/waf-migration/report-type.ts",
  "provider/kinds/waf-migration/arguments.ts",
  "provider/kinds/waf-migration/plan.ts",
  "provider/kinds/waf-migration/transition.ts",
  "provider/managed/",
  "provider/model/",
  "provider/ownership/",
  "provider/previous-waf/",
  "provider/redaction/",
  "provider/rules/",
  "provider/runtime/run-forecast.ts",
  "provider/runtime/sanitize.ts",
  "provider/settings.ts",
  "provider/validation/",
  "provider/writing/cache.ts",
  "provider/writing/combine.ts",
  "provider/writing/firewall.ts",
  "provider/writing/literal.ts",
  "provider/writing/owasp.ts",
  "provider/writing/place.ts",
  "provider/writing/rule.ts",
  "provider/writing/traffic.ts",
  "provider/writing/unions.ts",
  "schema/",
  "simulator/",
  "testing/coverage.ts",
  "testing/firewall.ts",
  "testing/matchers.ts",
];

/** A part of the list as a regular expression for paths. */
function patternOf(part) {
  const text = part.replaceAll(".", "[.]").replaceAll("*", "[^/]+");
  return part.endsWith("/") ? `^${text}` : `^${text}$`;
}

/** The same as a glob for paths. */
function globOf(part) {
  return part.endsWith("/") ? `${part}**/*.ts` : part;
}

const PURE = "pure-parts.cjs lists this as pure: pass the value in as an argument instead.";

/** Globals through which a pure part would read what is not passed to it. */
const impureGlobals = [
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "console",
  "crypto",
  "fetch",
  "global",
  "globalThis",
  "Intl",
  "navigator",
  "performance",
  "process",
  "queueMicrotask",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "WebSocket",
  "XMLHttpRequest",
];

/** The clock is read by `new Date()`, `Date()` and `Date.now()`, however they are reached; a date can be parsed. */
const clock = [
  "NewExpression[callee.name='Date'][arguments.length=0]",
  ":not(MemberExpression, NewExpression, TSTypeReference, BinaryExpression[operator='instanceof']) > Identifier[name='Date']",
];

/**
 * The language, the time zone and, without an argument, the clock of the machine: methods of dates and texts that use them,
 * called or not.
 */
const LOCAL =
  "/^(toLocale.*|localeCompare|to(Date|Time)String|[gs]et(Date|Day|FullYear|Hours|Milliseconds|Minutes|Month|Seconds|Year|TimezoneOffset))$/";
const locale = [
  `MemberExpression > Identifier.property[name=${LOCAL}]`,
  `ObjectPattern > Property > Identifier.key[name=${LOCAL}]`,
];

/** Ways to load a module that dependency-cruiser does not follow: see `exoticRequireStrings` in its configuration. */
const hiddenImports = [
  ":not(VariableDeclarator[id.name='load']) > CallExpression[callee.name='createRequire']",
  "CallExpression[callee.name=/^(load|require)$/] > :not(Literal).arguments",
];
const FOLLOWED =
  'Write `const load = createRequire(__filename)` and load("…"), so that dependency-cruiser sees what it loads.';

/** ESLint's rules for the pure parts. Their imports are dependency-cruiser's to check. */
const pureRules = {
  "no-restricted-globals": ["error", ...impureGlobals.map((name) => ({ name, message: PURE }))],
  "no-restricted-syntax": [
    "error",
    ...[...clock, ...locale].map((selector) => ({ selector, message: PURE })),
    ...hiddenImports.map((selector) => ({ selector, message: FOLLOWED })),
  ],
  "no-restricted-properties": [
    "error",
    { object: "Date", property: "now", message: PURE },
    { object: "Math", property: "random", message: PURE },
  ],
  "no-restricted-imports": [
    "error",
    {
      paths: ["node:crypto", "crypto"].map((name) => ({
        name,
        allowImportNames: ["createHash", "createHmac", "timingSafeEqual"],
        message: PURE,
      })),
    },
  ],
};

module.exports = { pureRules, purePatterns: pureParts.map(patternOf), pureGlobs: pureParts.map(globOf) };
