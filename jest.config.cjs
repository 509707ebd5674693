const shared = {
  // With the same ID, all projects share one cache of compiled files.
  id: "pulumi-rulesets",
  rootDir: __dirname,
  testEnvironment: "node",
  transform: { "^.+\\.ts$": ["<rootDir>/tests/support/transform.cjs", { tsconfig: "<rootDir>/tests/tsconfig.json" }] },
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  transformIgnorePatterns: ["/node_modules/", "<rootDir>/dist/"],
  // Sets a long timeout: no test may depend on how fast the machine is.
  setupFilesAfterEnv: ["<rootDir>/tests/support/patience.ts"],
};
const project = (name) => ({ ...shared, displayName: name, testMatch: [`<rootDir>/tests/${name}/**/*.test.ts`] });

/** @type {import("jest").Config} */
module.exports = {
  maxWorkers: 2,
  testSequencer: "<rootDir>/tests/support/sequencer.cjs",
  projects: [
    project("unit"),
    project("lifecycle"),
    project("emulator"),
    project("cli"),
    {
      ...project("e2e"),
      globalSetup: "<rootDir>/tests/e2e/support/setup.mjs",
    },
  ],
};
