// Which folder may import which: the architecture. To change the architecture, change this table first.

/** By folder: what its folders may import of each other, from the bottom up. Those that it does not name are free. */
const TABLE = {
  "": {
    schema: [],
    core: ["schema"],
    client: ["core", "schema"],
    provider: ["core", "client", "schema"],
    // A witness of its own: it knows the language of rules, and nothing that the provider knows of the service.
    emulator: ["core/(language|simulator)"],
    tools: ["core", "client", "provider", "emulator", "schema"],
    apps: ["core", "client", "provider", "emulator", "tools", "schema"],
  },
  "core/": {
    language: [],
    simulator: ["language"],
    analysis: ["language", "simulator"],
    model: ["language", "simulator"],
  },
  "provider/": {
    validation: [],
    ownership: [],
    engine: ["validation", "ownership"],
    kinds: ["validation", "ownership", "engine"],
    sdk: ["validation", "engine", "kinds"],
    border: ["validation", "engine", "kinds", "sdk/functions"],
  },
};

/** The only folders that may import a library. */
const OWNERS = {
  axios: "client/http",
  ajv: "(core/files|provider/validation|emulator)",
  "@pulumi": "(provider/(sdk|border)|tools/testing)",
  fastify: "emulator",
  "commander|cli-table3|cli-progress|p-limit": "tools/cli",
  yaml: "tools/(rules-files/text|cli/(init|fleet))",
  re2js: "core/language/regex",
  "vscode-languageserver[^/]*": "tools/cli/language-server",
};

/** Folders of pure functions: without a clock, files, environment or network. The linter forbids the globals there. */
const PURE = "^(core|provider/(ownership|validation))/";
const PURE_LIBRARIES = "node_modules/(ajv|csv-parse|fast-deep-equal|fastest-levenshtein|re2js)/";

const forbid = (name, from, to) => ({ name, severity: "error", from, to });
const folders = Object.entries(TABLE).flatMap(([parent, table]) =>
  Object.entries(table).map(([folder, allowed]) =>
    forbid(
      `${parent}${folder}-imports`,
      { path: `^${parent}${folder}/` },
      {
        path: parent === "" ? `^(${Object.keys(table).join("|")})/` : `^${parent}[^/]+/`,
        pathNot: [folder, ...allowed].map((one) => `^${parent}${one}/`),
      },
    ),
  ),
);
const owners = Object.entries(OWNERS).map(([library, owner]) =>
  forbid(
    `owner-of-${library.replace(/\W/g, "")}`,
    { path: "^(core|client|provider|emulator|tools)/", pathNot: `^${owner}/` },
    { path: `^(node_modules/)?(${library})(/|$)` },
  ),
);

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...folders,
    ...owners,
    // A hash is all that a pure function uses of Node.
    forbid("pure-uses-no-machine", { path: PURE }, { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" }),
    forbid(
      "pure-imports-pure",
      { path: PURE },
      { path: "node_modules/", pathNot: PURE_LIBRARIES, dependencyTypesNot: ["core", "type-only"] },
    ),
    // How a ruleset is written is decided without anybody who only looks at it.
    forbid(
      "rulesets-without-judges",
      { path: "^provider/kinds/rulesets/", pathNot: "/(resources|kind)[.]ts$" },
      { path: "^provider/kinds/judging/" },
    ),
    forbid("nothing-uses-a-command", { pathNot: "^tools/cli/" }, { path: "^tools/cli/" }),
    // A command needs no engine, but `drift`, which asks the provider what a refresh asks it.
    forbid(
      "commands-see-no-resources",
      { path: "^tools/cli/", pathNot: "^tools/cli/drift/" },
      { path: "^provider/(sdk|border)/", pathNot: "^provider/border/dynamic/(needed-node|compiled-code)[.]ts$" },
    ),
    forbid("no-cycles", {}, { circular: true }),
    forbid("no-orphans", { orphan: true, pathNot: "\\.json$" }, {}),
    forbid(
      "no-dev-dependencies",
      {},
      {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"],
        pathNot: "@pulumi/pulumi|@grpc/grpc-js|google-protobuf|/typescript/lib/",
      },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["require", "types", "node"] },
  },
};
