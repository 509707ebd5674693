// Runs the tests on the real engine first, the longest first, so that only short tests are left when the first worker is done.
// The size of a file is a good enough estimate of how long it takes.
const { statSync } = require("node:fs");
const Sequencer = require("@jest/test-sequencer").default;

const isOfEngine = ({ context }) => context.config.displayName?.name === "e2e";

module.exports = class extends Sequencer {
  sort(tests) {
    const sized = [...tests].map((test) => ({ test, first: isOfEngine(test), size: statSync(test.path).size }));
    return sized.sort((a, b) => Number(b.first) - Number(a.first) || b.size - a.size).map(({ test }) => test);
  }
};
