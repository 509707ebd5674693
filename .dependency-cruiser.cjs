// Which folder may import which: the architecture. To change the architecture, change this table first.

/** The folders at the root, from the bottom up. A folder imports what it names here, and itself. */
const FOLDERS = {
  schema: [],
  core: ["schema"],
  client: ["core", "schema"],
  provider: ["core", "client", "schema"],
  // A witness of its own: it knows the language of rules, and nothing that the provider knows of the service.
  emulator: ["core/(language|simulator)"],
  tools: ["core", "client", "provider", "emulator", "schema"],
  apps: ["core", "client", "provider", "emulator", "tools", "schema"],
};

/** The folders of the provider, from the bottom up. */
const PROVIDER = {
  validation: [],
  ownership: [],
  engine: ["validation", "ownership"],
  kinds: ["validation", "ownership", "engine"],
  sdk: ["validation", "engine", "kinds"],
  border: ["validation", "engine", "kinds", "sdk/functions"],
};

/** The folders of the core that know least, so that all others can use them. */
const CORE = {
  language: [],
  simulator: ["language"],
  analysis: ["language", "simulator"],
  model: ["language", "simulator"],
};

/** The only folders that may import a library. */
const OWNERS = {
  "axios$|/axios/": "^client/http/",
  "/ajv/": "^(core/files|provider/validation|emulator)/",
  "@pulumi/": "^(provider/(sdk|border)|tools/testing)/",
  "/fastify/": "^emulator/",
  "/(commander|cli-table3|cli-progress|p-limit)/": "^tools/cli/",
  "/yaml/": "^tools/rules-files/text/",
  "/re2js/": "^core/language/regex/",
  "/vscode-languageserver": "^tools/cli/language-server/",
};

/** Folders of pure functions: without a clock, files, environment or network. The linter forbids the globals there. */
const PURE = "^(core|provider/(ownership|validation))/";
const PURE_LIBRARIES = "node_modules/(ajv|csv-parse|fast-deep-equal|fastest-levenshtein|re2js)/";

const inFolder = (folder) => `^${folder}/`;
const table = (parent, folders) =>
  Object.entries(folders).map(([folder, allowed]) => ({
    name: `${parent}${folder}-imports`,
    comment: `${parent}${folder} may import ${allowed.join(", ") || "nothing"}${parent && ` in ${parent}`}`,
    severity: "error",
    from: { path: inFolder(parent + folder) },
    to: {
      path: parent === "" ? Object.keys(FOLDERS).map(inFolder) : `${inFolder(parent.slice(0, -1))}[^/]+/`,
      pathNot: [folder, ...allowed].map((one) => inFolder(parent + one)),
    },
  }));
const forbid = (name, comment, from, to) => ({ name, comment, severity: "error", from, to });

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...table("", FOLDERS),
    ...table("core/", CORE),
    ...table("provider/", PROVIDER),
    ...Object.entries(OWNERS).map(([library, owner]) =>
      forbid(
        `owner-of-${library.replace(/\W/g, "")}`,
        "a library has one owner",
        { path: "^(core|client|provider|emulator|tools)/", pathNot: owner },
        { path: `node_modules/.*(${library})` },
      ),
    ),
    forbid(
      "pure-imports-pure",
      "whatever a pure function reaches is pure; a hash is all that it uses of Node",
      { path: PURE },
      { path: "node_modules/", pathNot: PURE_LIBRARIES, dependencyTypesNot: ["core", "type-only"] },
    ),
    forbid(
      "pure-uses-no-machine",
      "values are passed in",
      { path: PURE },
      { dependencyTypes: ["core"], pathNot: "^(node:)?crypto$" },
    ),
    forbid(
      "rulesets-without-judges",
      "how a ruleset is written is decided without anybody who only looks at it",
      { path: "^provider/kinds/rulesets/", pathNot: "/(resources|kind)[.]ts$" },
      { path: "^provider/kinds/judging/" },
    ),
    forbid("nothing-uses-a-command", "", { pathNot: "^tools/cli/" }, { path: "^tools/cli/" }),
    forbid("nothing-uses-a-page", "", { pathNot: "^apps/" }, { path: "^apps/" }),
    forbid(
      "commands-see-no-resources",
      "a command needs no engine, but `drift`, which asks the provider what a refresh asks it",
      { path: "^tools/cli/", pathNot: "^tools/cli/drift/" },
      { path: "^provider/(sdk|border)/", pathNot: "^provider/border/dynamic/(needed-node|compiled-code)[.]ts$" },
    ),
    forbid("no-cycles", "", {}, { circular: true }),
    forbid("no-orphans", "", { orphan: true, pathNot: "\\.json$" }, {}),
    forbid(
      "no-dev-dependencies",
      "",
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
