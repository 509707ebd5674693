// Which layer may import which. This table is the architecture: to change the architecture, change the table first.
const layers = {
  model: [],
  redaction: ["model"],
  http: ["model", "redaction"],
  client: ["model", "http"],
  rules: ["model"],
  validation: ["model"],
  ownership: ["model", "rules"],
  certificates: ["model"],
  chain: ["model", "certificates"],
  engine: ["model", "redaction", "http", "client", "validation", "rules", "ownership"],
  kinds: ["model", "redaction", "client", "validation", "rules", "ownership", "certificates", "engine"],
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
  host: ["runtime"],
  settings: ["model", "http", "engine"],
  connect: ["model", "http", "client", "certificates", "engine", "kinds", "settings"],
  functions: ["model", "client", "rules", "validation", "resources", "settings", "connect"],
  writing: ["model", "resources"],
  resources: ["model", "validation", "certificates", "rules", "engine", "kinds"],
};

/** A layer is a folder, except two files: `settings` (of a run), and `connect` (which connects the layers to the service). */
const pathOf = (layer) =>
  ["connect", "settings"].includes(layer) ? `^provider/${layer}[.]ts$` : `^provider/${layer}/`;

const rules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `${layer}-imports`,
  comment: `provider/${layer} may import ${allowed.join(", ") || "nothing"} in provider/`,
  severity: "error",
  from: { path: pathOf(layer) },
  to: { path: "^provider/", pathNot: [layer, ...allowed].map(pathOf) },
}));

/** The only folders that may import a library. */
const owned = {
  "axios$|/axios/": "^provider/http/",
  "/ajv/": "^(provider/validation|emulator)/",
  "@pulumi/": "^(provider/(resources|runtime|functions|writing)|testing)/",
  "/fastify/": "^emulator/",
  "/(commander|cli-table3|cli-progress|p-limit|yaml)/": "^cli/",
  "/re2js/": "^language/regex/",
};

/** Decisions: values in, values out. They read no clock, file or network, and use nothing of Node except hashes. */
const pure = [
  "rules/",
  "ownership/",
  "certificates/",
  "chain/",
  "redaction/",
  "kinds/ruleset/plan/",
  "kinds/waf-migration/(adjust|digest|phase|plan|survey|transition)[.]ts",
  "kinds/waf-migration/readiness/",
  "kinds/[^/]+/description[.]ts",
  "engine/description[.]ts",
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...rules,
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
      name: "pure-generator",
      comment:
        "the generator reads no clock, file or network, so that the same input always generates the same program",
      severity: "error",
      from: { path: "^generator/" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "pure-report",
      comment: "the audit and rendering of reports read no clock, file or network",
      severity: "error",
      from: { path: "^cli/(report/(audit|render)|page)/" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "pure-report-asks-nobody",
      severity: "error",
      from: { path: "^cli/report/(audit|render)/" },
      to: { path: "^provider/(client|http|connect)", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "generator-imports",
      comment: "the generator depends only on the model and meaning of rules, and on the factories that programs call",
      severity: "error",
      from: { path: "^generator/" },
      to: {
        path: "^(simulator|analysis|schema|testing|emulator|cli|provider)/",
        pathNot:
          "^provider/(model|rules|ownership|validation|client/(codec|cloudflare-package)|writing|kinds/waf-migration)",
        dependencyTypesNot: ["type-only"],
      },
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
      name: "pure-decisions",
      comment: "decisions read no clock, file or network, so that tables of cases can test them completely",
      severity: "error",
      from: { path: `^provider/(${pure.join("|")})` },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    },
    {
      name: "pure-decisions-ask-nobody",
      severity: "error",
      from: { path: `^provider/(${pure.join("|")})` },
      to: {
        path: "^provider/(http|runtime|engine/(session|reads|recover|write-queue))",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "commands-on-top",
      comment: "commands use what the provider offers; nothing uses a command",
      severity: "error",
      from: { path: "^(provider|generator|schema|testing|emulator|language|simulator)/" },
      to: { path: "^cli/" },
    },
    {
      name: "commands-see-no-resources",
      comment: "a command needs no engine: neither the resource classes nor the front end of their provider",
      severity: "error",
      from: { path: "^cli/" },
      to: { path: "^provider/(resources|functions|runtime)/" },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "no-orphans", severity: "error", from: { orphan: true, pathNot: "\\.json$" }, to: {} },
    {
      name: "no-dev-dependencies",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], pathNot: "@pulumi/pulumi" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["require", "types", "node"] },
  },
};
