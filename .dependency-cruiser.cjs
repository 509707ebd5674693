// Who may import whom. This table is the architecture; to change the one, change the other first.
const layers = {
  model: [],
  redaction: ["model"],
  http: ["model", "redaction"],
  client: ["model", "http"],
  rules: ["model"],
  validation: ["model"],
  ownership: ["model", "rules"],
  certificates: ["model"],
  engine: ["model", "redaction", "http", "client", "validation", "rules", "ownership", "certificates"],
  kinds: ["model", "redaction", "client", "validation", "rules", "ownership", "certificates", "engine"],
  runtime: ["model", "redaction", "http", "client", "validation", "certificates", "engine", "kinds"],
  functions: ["model", "http", "client", "validation", "certificates", "runtime"],
  resources: ["model", "validation", "certificates", "engine", "kinds"],
};

const rules = Object.entries(layers).map(([layer, allowed]) => ({
  name: `${layer}-imports`,
  comment: `provider/${layer} may import ${allowed.join(", ") || "nothing"} of the provider`,
  severity: "error",
  from: { path: `^provider/${layer}/` },
  to: { path: "^provider/", pathNot: [layer, ...allowed].map((name) => `^provider/${name}/`) },
}));

/** One owner each. */
const owned = {
  "axios$|/axios/": "^provider/http/",
  "/ajv/": "^(provider/validation|emulator)/",
  "@pulumi/": "^(provider/(resources|runtime|functions)|testing)/",
  "/fastify/": "^emulator/",
  "/(commander|cli-table3|cli-progress|p-limit|yaml)/": "^cli/",
  "/re2js/": "^language/regex/",
};

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
      comment: "the rules language imports nothing of the project, so that everything can lean on it",
      severity: "error",
      from: { path: "^language/" },
      to: { path: "^(simulator|provider|schema|testing|emulator|cli)/" },
    },
    {
      name: "independent-simulator",
      comment: "the simulator imports the rules language alone, so that the emulator can use it too",
      severity: "error",
      from: { path: "^simulator/" },
      to: { path: "^(provider|schema|testing|emulator|cli)/" },
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
