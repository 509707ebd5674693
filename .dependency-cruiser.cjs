const { purePattern, impurePattern } = require("./pure-parts.cjs");

// Which layer may import which. This table is the architecture: to change the architecture, change the table first.
const layers = {
  model: [],
  managed: ["model"],
  redaction: ["model"],
  http: ["model", "redaction"],
  lists: ["model"],
  client: ["model", "managed", "http", "lists"],
  rules: ["model"],
  validation: ["model", "managed"],
  files: ["model", "validation"],
  ownership: ["model", "managed", "rules"],
  certificates: ["model"],
  "previous-waf": ["model", "managed", "client", "rules"],
  chain: ["model", "certificates"],
  traffic: ["model", "client"],
  engine: ["model", "managed", "files", "redaction", "http", "client", "validation", "rules", "lists", "ownership"],
  kinds: [
    "model",
    "managed",
    "redaction",
    "client",
    "validation",
    "rules",
    "lists",
    "ownership",
    "certificates",
    "previous-waf",
    "traffic",
    "engine",
  ],
  runtime: [
    "model",
    "redaction",
    "http",
    "client",
    "validation",
    "certificates",
    "engine",
    "kinds",
    "settings",
    "connect",
  ],
  plugin: [
    "model",
    "redaction",
    "http",
    "client",
    "validation",
    "rules",
    "engine",
    "kinds",
    "settings",
    "functions",
    "runtime",
  ],
  restore: ["model", "rules", "validation", "engine", "kinds"],
  settings: ["model", "http", "validation", "engine"],
  connect: ["model", "managed", "http", "client", "certificates", "engine", "kinds", "settings"],
  functions: [
    "model",
    "managed",
    "client",
    "engine",
    "chain",
    "rules",
    "validation",
    "resources",
    "settings",
    "connect",
  ],
  writing: ["model", "managed", "resources", "rules"],
  resources: ["model", "managed", "validation", "certificates", "rules", "previous-waf", "engine", "kinds", "settings"],
};

/** A layer is a folder, except these files: the settings of a run, what connects it to the service, and what `versions` writes. */
const pathOf = (layer) =>
  ["connect", "settings", "restore"].includes(layer) ? `^provider/${layer}[.]ts$` : `^provider/${layer}/`;

const rules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `${layer}-imports`,
  comment: `provider/${layer} may import ${allowed.join(", ") || "nothing"} in provider/`,
  severity: "error",
  from: { path: pathOf(layer) },
  to: { path: "^provider/", pathNot: [layer, ...allowed].map(pathOf) },
}));

/**
 * Which room inside `kinds/` may import which other one. A room without a line here imports whatever its layer may; the files
 * in `kinds/` itself, which list the kinds, are for everybody to import and import every kind.
 */
const rooms = {
  certificates: [],
  "certificates/hostname-ca": ["certificates"],
  "certificates/hostname-certificate": ["certificates"],
  "certificates/total-tls": ["certificates"],
  lists: [],
  "waf-migration": ["rulesets/description"],
  // What the rooms of rulesets share.
  rulesets: ["rulesets/plan", "rulesets/rule/description"],
  "rulesets/plan": ["rulesets"],
  "rulesets/write": ["rulesets", "rulesets/plan"],
  // The two ways to manage a ruleset. Neither sees the other.
  "rulesets/whole": ["rulesets", "rulesets/plan", "rulesets/write"],
  "rulesets/shared": ["rulesets", "rulesets/plan", "rulesets/write"],
  "rulesets/check": ["rulesets", "rulesets/plan", "rulesets/write", "rulesets/shared"],
  // A resource that is one rule: a shared list of one.
  "rulesets/rule": ["rulesets", "rulesets/plan", "rulesets/write", "rulesets/shared", "rulesets/check"],
  // What looks at resources with rules once they are checked. No room of rulesets sees it.
  judging: ["rulesets", "judging/dry-run", "judging/effect"],
  "judging/dry-run": ["rulesets", "rulesets/plan", "rulesets/write"],
  "judging/effect": ["rulesets", "rulesets/plan"],
};

/** The files of a room that put the other rooms together: they import every room of it, and only those on top import them. */
const joints = { rulesets: "^provider/kinds/rulesets/(resources|lifecycle|change)[.]ts$" };
const onTop = "^provider/kinds/rulesets/rule/";
/** The handlers of a resource, which also say who looks at it. */
const HANDLERS = "^provider/kinds/rulesets/(resources|rule/kind)[.]ts$";

/** The files of a room itself, without its inner rooms. */
const filesOf = (room) => `^provider/kinds/${room}${room.includes("/description") ? "[.]ts$" : "/[^/]+$"}`;

const roomRules = Object.entries(rooms).map(([room, allowed]) => ({
  name: `kinds-${room.replace("/", "-")}-imports`,
  comment: `kinds/${room} may import ${allowed.join(", ") || "no other room"} in kinds/`,
  severity: "error",
  from: { path: filesOf(room), pathNot: [HANDLERS, ...(room in joints ? [joints[room]] : [])] },
  to: { path: "^provider/kinds/[^/]+/", pathNot: [room, ...allowed].map(filesOf) },
}));

const jointRules = Object.entries(joints).map(([room, joint]) => ({
  name: `kinds-${room}-joints`,
  comment: `what puts the rooms of kinds/${room} together is for the list of kinds alone`,
  severity: "error",
  from: { path: `^provider/kinds/${room}/`, pathNot: [joint, onTop] },
  to: { path: joint },
}));

/** How a ruleset is written is decided without anybody who only looks at it. */
const independentRulesets = {
  name: "kinds-rulesets-alone",
  severity: "error",
  from: { path: "^provider/kinds/rulesets/", pathNot: HANDLERS },
  to: { path: "^provider/kinds/judging/" },
};

/** The only folders that may import a library. */
const owned = {
  "axios$|/axios/": "^provider/http/",
  "/ajv/": "^(provider/validation|emulator)/",
  "@pulumi/": "^(provider/(resources|runtime|plugin|functions|writing)|testing)/",
  "/fastify/": "^emulator/",
  "/(commander|cli-table3|cli-progress|p-limit)/": "^cli/",
  "/yaml/": "^provider/files/",
  "/re2js/": "^language/regex/",
  "/vscode-languageserver": "^cli/language-server/",
};

/** Packages without a clock, file or network of their own. */
const pureLibraries = "node_modules/(ajv|cli-table3|csv-parse|fast-deep-equal|fastest-levenshtein|re2js|yaml)/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...rules,
    ...roomRules,
    ...jointRules,
    independentRulesets,
    ...Object.entries(owned).map(([dependency, owner]) => ({
      name: `owner-of-${dependency.replace(/\W/g, "")}`,
      severity: "error",
      from: { pathNot: owner },
      to: { path: `node_modules/.*(${dependency})` },
    })),
    {
      name: "independent-language",
      comment: "the rules language imports nothing of the project, so that everything can depend on it",
      severity: "error",
      from: { path: "^language/" },
      to: { path: "^(simulator|analysis|provider|schema|testing|emulator|cli)/" },
    },
    {
      name: "independent-simulator",
      comment: "the simulator imports only the rules language, so that the emulator can use it too",
      severity: "error",
      from: { path: "^simulator/" },
      to: { path: "^(analysis|provider|schema|testing|emulator|cli)/" },
    },
    {
      name: "independent-analysis",
      comment:
        "the analysis imports only the rules language and the simulator, so that previews, commands and tests can use it",
      severity: "error",
      from: { path: "^analysis/" },
      to: { path: "^(provider|schema|testing|emulator|cli)/" },
    },
    {
      name: "generator-imports",
      comment: "the generator depends only on the model and meaning of rules, and on `owasp`, which programs call",
      severity: "error",
      from: { path: "^generator/" },
      to: {
        path: "^(simulator|analysis|schema|testing|emulator|cli|provider)/",
        pathNot:
          "^provider/(model|lists|managed|rules|ownership|validation|client/(codec|cloudflare-package)|writing|previous-waf)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "audit-imports",
      comment: "judging what protects zones needs the meaning of rules, and nothing that reads or prints",
      severity: "error",
      from: { path: "^audit/" },
      to: {
        path: "^(schema|testing|emulator|provider)/",
        pathNot: "^provider/(lists|model|managed|previous-waf|redaction|rules|validation)/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "invariants-imports",
      comment: "an invariant is read and judged with what the analysis proves, wherever the rules come from",
      severity: "error",
      from: { path: "^invariants/" },
      to: {
        path: "^(schema|testing|emulator|provider|audit|generator|policy|cli)/",
        pathNot: "^provider/(model|files|lists|rules|validation)/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "fleet-imports",
      comment:
        "what a fleet is, and how far its roll-out is, are decided from values; commands run the engine and ask the service",
      severity: "error",
      from: { path: "^fleet/" },
      to: {
        path: "^(schema|testing|emulator|provider|audit|analysis|simulator|generator|policy|cli|invariants)/",
        pathNot: "^(provider/(model|validation)/|invariants/applies[.]ts)",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "rules-files-imports",
      comment:
        "what a text with rules says is answered alike for commands, editors and the playground, without a service and an engine",
      severity: "error",
      from: { path: "^rules-files/" },
      to: {
        path: "^(schema|emulator|provider|audit|generator|policy|fleet|editor|playground|cli)/",
        pathNot: "^provider/(files|lists|model|redaction|rules|validation)/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "audit-is-for-commands",
      severity: "error",
      from: { pathNot: "^(audit|cli)/" },
      to: { path: "^audit/" },
    },
    {
      name: "independent-emulator",
      severity: "error",
      from: { path: "^emulator/" },
      to: { path: "^(provider|schema|testing|cli)/" },
    },
    {
      name: "testing-on-top",
      comment: "only programs and the commands that test rules import the testing entry point",
      severity: "error",
      from: { path: "^(provider|cli/(?!rules/))" },
      to: { path: "^testing/" },
    },
    {
      name: "pure-parts-import-pure-parts",
      comment: "whatever a pure part reaches is pure as well; pure-parts.cjs lists what is not",
      severity: "error",
      from: { path: purePattern },
      to: {
        path: [impurePattern, "node_modules/"],
        pathNot: pureLibraries,
        dependencyTypesNot: ["core", "type-only", "type-import"],
      },
    },
    {
      name: "pure-parts-use-no-machine",
      comment: "a hash is all that pure parts use of Node",
      severity: "error",
      from: { path: purePattern },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "pure-parts-get-no-session",
      comment: "values are passed to pure parts, not what could ask the service for them",
      severity: "error",
      from: { path: purePattern },
      to: { path: "^provider/(engine/session|http/(transport|clock))[.]ts$" },
    },
    {
      name: "commands-on-top",
      comment: "commands use what the provider offers; nothing uses a command",
      severity: "error",
      from: { pathNot: "^cli/" },
      to: { path: "^cli/" },
    },
    {
      name: "commands-see-no-resources",
      comment:
        "a command needs no engine: neither the resource classes nor the front end of their provider, except `drift`, which asks " +
        "the provider what a refresh asks it",
      severity: "error",
      from: { path: "^cli/", pathNot: "^cli/drift/" },
      to: {
        path: "^provider/(resources|functions|runtime)/",
        pathNot: "^provider/runtime/(needed-node|compiled-code)[.]ts$",
      },
    },
    {
      name: "commands-reach-into-no-ruleset",
      comment: "how a ruleset is written is a matter of its kind; provider/restore.ts is for commands",
      severity: "error",
      from: { path: "^cli/" },
      to: { path: "^provider/kinds/ruleset" },
    },
    {
      name: "playground-imports",
      comment: "the playground answers what `rules check`, `try`, `explain` and `diff` answer, without files",
      severity: "error",
      from: { path: "^playground/" },
      to: { path: "^(audit|generator|testing|emulator|policy|provider/(?!model/|files/))" },
    },
    {
      name: "editor-imports",
      comment: "what an editor shows is what the commands for rules say about a text",
      severity: "error",
      from: { path: "^editor/" },
      to: { path: "^(audit|generator|testing|emulator|policy|playground|provider/(?!model/|files/|writing/place))" },
    },
    {
      name: "editor-is-for-those-who-write",
      severity: "error",
      from: { pathNot: "^(editor|playground|cli/language-server)/" },
      to: { path: "^editor/" },
    },
    {
      name: "playground-on-top",
      severity: "error",
      from: { pathNot: "^playground/" },
      to: { path: "^playground/" },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-orphans", severity: "error", from: { orphan: true, pathNot: "\\.json$" }, to: {} },
    {
      name: "no-dev-dependencies",
      severity: "error",
      from: {},
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        pathNot: "@pulumi/pulumi|@grpc/grpc-js|google-protobuf|/typescript/lib/",
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["require", "types", "node"] },
  },
};
