/**
 * Everything in these folders is pure, except the impure parts: values in, values out. Pure parts use no clock, random numbers,
 * files, environment or network, and not the language or time zone of the machine, so tables of cases can test them completely.
 * dependency-cruiser lets them import only pure parts; the linter forbids the globals, which need no import. Both read this file.
 */
const ROOTS = [
  "analysis",
  "audit",
  "cli",
  "fleet",
  "generator",
  "invariants",
  "language",
  "provider",
  "rules-files",
  "schema",
  "simulator",
  "testing",
];

/** A folder ends with a slash and includes everything below it; `*` stands for any one name, `**` for any folders. */
const impureParts = [
  "cli/**/command.ts",
  "cli/**/options.ts",
  "cli/**/read.ts",
  "cli/**/sarif.ts",
  "cli/certificates/acknowledgements.ts",
  "cli/certificates/caa-lookups.ts",
  "cli/certificates/collect.ts",
  "cli/connect.ts",
  "cli/context.ts",
  "cli/doctor/declared.ts",
  "cli/doctor/facts.ts",
  "cli/doctor/least-token.ts",
  "cli/doctor/permissions.ts",
  "cli/doctor/service.ts",
  "cli/project/",
  "cli/drift/compare.ts",
  "cli/drift/stacks.ts",
  "cli/fleet/",
  "cli/generate/",
  "cli/installed-from.ts",
  "cli/language-server/",
  "cli/main.ts",
  "cli/managed/lock-file.ts",
  "cli/migration/delete-overrides.ts",
  "cli/program.ts",
  "cli/progress.ts",
  "cli/read-facts.ts",
  "cli/report/baseline-file.ts",
  "cli/rules/explain/ray.ts",
  "cli/rules/replay/count.ts",
  "cli/rules/replay/decompress.ts",
  "cli/rules/replay/report.ts",
  "cli/rules/replay/sources.ts",
  "cli/rules/source/",
  "cli/rules/test/render.ts",
  "cli/versions/ruleset-address.ts",
  "cli/write-output.ts",
  "cli/zone*.ts",
  "emulator/",
  "invariants/files.ts",
  "provider/client/index.ts",
  "provider/connect.ts",
  "provider/engine/check-cache.ts",
  "provider/engine/claims.ts",
  "provider/engine/kind-parts.ts",
  "provider/engine/kind.ts",
  "provider/engine/lifecycle.ts",
  "provider/engine/listing.ts",
  "provider/engine/overwritten-changes.ts",
  "provider/engine/published-plans.ts",
  "provider/engine/reads/list-items.ts",
  "provider/engine/request.ts",
  "provider/engine/rule-findings.ts",
  "provider/engine/session.ts",
  "provider/files/",
  "provider/functions/",
  "provider/http/clock.ts",
  "provider/http/gate.ts",
  "provider/http/index.ts",
  "provider/http/limiter.ts",
  "provider/http/transport.ts",
  "provider/index.ts",
  "provider/kinds/*.ts",
  "provider/kinds/**/check.ts",
  "provider/kinds/**/kind.ts",
  "provider/kinds/certificates/hostname-ca/",
  "provider/kinds/certificates/hostname-reads.ts",
  "provider/kinds/certificates/resolve-caa.ts",
  "provider/kinds/judging/",
  "provider/kinds/lists/",
  "provider/kinds/rulesets/",
  "provider/kinds/waf-migration/run.ts",
  "provider/plugin/",
  "provider/resources/",
  "provider/restore.ts",
  "provider/runtime/",
  "provider/writing/expression.ts",
  "provider/writing/rollout.ts",
  "rules-files/saved.ts",
  "rules-files/test/run.ts",
  "rules-files/test/suite.ts",
  "testing/callbacks.ts",
  "testing/expect.ts",
  "testing/firewall.ts",
  "testing/index.ts",
  "testing/load.ts",
  "testing/lookups.ts",
  "testing/program-place.ts",
];

/** Pure parts in folders of impure ones. */
const pureInside = [
  "cli/fleet/plan/render.ts",
  "cli/fleet/shard-plan.ts",
  "cli/generate/words.ts",
  "provider/kinds/certificates/hostname-ca/description.ts",
  "provider/kinds/certificates/hostname-ca/state.ts",
  "provider/kinds/lists/description.ts",
  "provider/kinds/lists/planned.ts",
  "provider/kinds/lists/words.ts",
  "provider/kinds/rule-type.ts",
  "provider/kinds/rulesets/check/inputs.ts",
  "provider/kinds/rulesets/check/rule-list.ts",
  "provider/kinds/rulesets/description.ts",
  "provider/kinds/rulesets/desired.ts",
  "provider/kinds/rulesets/owners.ts",
  "provider/kinds/rulesets/package-states.ts",
  "provider/kinds/rulesets/plan/",
  "provider/kinds/rulesets/records.ts",
  "provider/kinds/rulesets/refresh.ts",
  "provider/kinds/rulesets/rule/arguments.ts",
  "provider/kinds/rulesets/rule/as-list.ts",
  "provider/kinds/rulesets/rule/description.ts",
  "provider/kinds/rulesets/shared/state.ts",
  "provider/kinds/rulesets/state.ts",
  "provider/runtime/sanitize.ts",
];

/** A part as a regular expression for paths, without its beginning. */
function patternOf(part) {
  const text = part
    .replaceAll(".", "[.]")
    .replace(/(?<![*])[*](?![*])/g, "[^/]+")
    .replaceAll("**/", "(.+/|)");
  return part.endsWith("/") ? text : `${text}$`;
}

/** A part as a glob for paths. */
function globOf(part) {
  return part.endsWith("/") ? `${part}**/*.ts` : part;
}

const anyOf = (parts) => `(${parts.map(patternOf).join("|")})`;
/** Matches the paths of impure parts. */
const impurePattern = `^(?!${anyOf(pureInside)})${anyOf(impureParts)}`;
/** Matches the paths of pure parts. */
const purePattern = `^(?!(?!${anyOf(pureInside)})${anyOf(impureParts)})(${ROOTS.join("|")})/`;

/** The files that the linter checks as pure: those outside of impure folders, and those inside. */
const pureFiles = [
  { files: ROOTS.map((root) => `${root}/**/*.ts`), excludeFiles: impureParts.map(globOf) },
  { files: pureInside.map(globOf) },
];

const PURE = "This part is pure (pure-parts.cjs): pass the value in as an argument instead.";

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

/** Ways to load a module that dependency-cruiser does not follow. */
const hiddenImports = [
  "CallExpression[callee.name='createRequire']",
  "CallExpression[callee.name='require'] > :not(Literal).arguments",
];
const FOLLOWED = 'Write require("…"), so that dependency-cruiser sees what it loads.';

/** The linter's rules for the pure parts. Their imports are dependency-cruiser's to check. */
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

module.exports = { pureRules, purePattern, impurePattern, pureFiles, parts: [...impureParts, ...pureInside] };
