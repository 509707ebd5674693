const { projects } = require("../../jest.config.cjs");

/** The tests with the engine, and Temporal besides. `npm run test:fleet-temporal` prepares what they need. */
module.exports = {
  ...projects.at(-1),
  displayName: "temporal",
  testMatch: ["<rootDir>/tests/temporal/**/*.test.ts"],
};
