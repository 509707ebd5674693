const shared = {
  // With the same ID, all projects share one cache of compiled files.
  id: "pulumi-rulesets",
  rootDir: __dirname,
  testEnvironment: "node",
  transform: { "^.+\\.ts$": "<rootDir>/tests/support/transform.cjs" },
  resolver: "<rootDir>/tests/support/resolver.cjs",
  runtime: "<rootDir>/tests/support/runtime.cjs",
  // Packages of their own, of which the website has tests of its own; the templates have the same placeholder for their names.
  modulePathIgnorePatterns: ["<rootDir>/apps/site/", "<rootDir>/apps/vscode/", "<rootDir>/examples/templates/"],
  transformIgnorePatterns: ["/node_modules/", "<rootDir>/dist/"],
  // Sets a long timeout: no test may depend on how fast the machine is.
  setupFilesAfterEnv: ["<rootDir>/tests/support/patience.ts"],
};
// Flags of the workers, which Jest starts with those of its own process. Room for short-lived objects saves a twentieth of
// the CPU time. In Node 24, AsyncLocalStorage is built this way; the older way adds a tenth to tests that send requests.
for (const flag of ["--max-semi-space-size=64", "--experimental-async-context-frame"])
  if (process.allowedNodeEnvironmentFlags.has(flag.split("=")[0])) process.execArgv.push(flag);

const project = (name) => ({ ...shared, displayName: name, testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`] });

/**
 * The contract of a front end, which the provider plugin is tested by too: create, diff, update, delete, refresh, secrets and
 * messages. All other tests of the lifecycle are about what both front ends share, and drive the dynamic one; imports and
 * cancellation are tested with the engine.
 */
const CONTRACT = ["kinds", "effects", "refresh", "drift", "secrets", "ruleset-rule-secrets", "list-secrets", "faults"];

/** @type {import("jest").Config} */
module.exports = {
  // One more than the cores of the gate: tests on the real engine wait for processes.
  maxWorkers: 3,
  testSequencer: "<rootDir>/tests/support/sequencer.cjs",
  globalSetup: "<rootDir>/tests/support/temporary-files.mjs",
  projects: [
    project("unit"),
    project("lifecycle"),
    {
      ...project("lifecycle"),
      displayName: "plugin",
      setupFiles: ["<rootDir>/tests/support/plugin-front-end.ts"],
      testMatch: CONTRACT.map((name) => `<rootDir>/tests/lifecycle/${name}.test.ts`),
    },
    project("emulator"),
    project("cli"),
    {
      ...project("e2e"),
      globalSetup: "<rootDir>/tests/e2e/support/setup.mjs",
    },
  ],
};
