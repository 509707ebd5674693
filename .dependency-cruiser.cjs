// Which folder may import which: the architecture. To change the architecture, change this table first.

/** The folders, and the siblings that each may import. A folder without a line may import all its siblings. */
const TABLE = {
  "": {
    schema: [],
    core: ["schema"],
    client: ["core", "schema"],
    provider: ["core", "client", "schema"],
    // An independent witness: it knows the language of rules, and nothing that the provider knows of the service.
    emulator: ["core/(language|simulator)"],
    tools: ["core", "client", "provider", "emulator", "schema"],
    apps: ["core", "tools"],
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
  Object.entries(table).map(([folder, allowed]) => {
    const path = parent === "" ? `^(${Object.keys(table).join("|")})/` : `^${parent}[^/]+/`;
    const pathNot = [folder, ...allowed].map((one) => `^${parent}${one}/`);
    return forbid(`${parent}${folder}-imports`, { path: `^${parent}${folder}/` }, { path, pathNot });
  }),
);
const owners = Object.entries(OWNERS).map(([library, owner]) => {
  const others = { path: "^(core|client|provider|emulator|tools)/", pathNot: `^${owner}/` };
  return forbid(`owner-of-${library.replace(/\W/g, "")}`, others, { path: `^(node_modules/)?(${library})(/|$)` });
});

const impureLibrary = { path: "node_modules/", pathNot: PURE_LIBRARIES, dependencyTypesNot: ["core", "type-only"] };
const rulesetKinds = { path: "^provider/kinds/rulesets/", pathNot: "/(resources|kind)[.]ts$" };
const commands = { path: "^tools/cli/", pathNot: "^tools/cli/drift/" };
const engine = { path: "^provider/(sdk|border)/", pathNot: "/border/(needed-node|compiled-code)[.]ts$" };
const BORDER = "^provider/border/(?:[^/]+$|(dynamic|grpc)/)";
const missing = ["npm-dev", "npm-no-pkg", "npm-unknown"];
const provided = "@pulumi/pulumi|@grpc/grpc-js|google-protobuf|/typescript/lib/";

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...folders,
    ...owners,
    // Of Node, a pure function uses only hashes.
    forbid("pure-uses-no-machine", { path: PURE }, { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" }),
    forbid("pure-imports-pure", { path: PURE }, impureLibrary),
    // A front end only translates.
    forbid(
      "one-border",
      { path: BORDER },
      { path: "^provider/border/(dynamic|grpc)/", pathNot: "^provider/border/$1/" },
    ),
    // How a ruleset is written does not depend on judges, which only look at it.
    forbid("rulesets-without-judges", rulesetKinds, { path: "^provider/kinds/judging/" }),
    forbid("nothing-uses-a-command", { pathNot: "^tools/cli/" }, { path: "^tools/cli/" }),
    // Only `drift` needs the engine: it asks the provider what a refresh asks.
    forbid("commands-need-no-engine", commands, engine),
    forbid("no-cycles", {}, { circular: true }),
    forbid("no-orphans", { orphan: true, pathNot: "\\.json$" }, {}),
    forbid("no-dev-dependencies", {}, { dependencyTypes: missing, pathNot: provided }),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["require", "types", "node"] },
  },
};
