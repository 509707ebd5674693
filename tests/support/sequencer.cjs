// The real engine's tests begin, the longest of them first, and the short tests fill up both workers at the end: nothing
// long is left for one worker alone. The size of a file tells well enough how long it takes.
const { statSync } = require("node:fs");
const Sequencer = require("@jest/test-sequencer").default;

const isOfEngine = ({ context }) => context.config.displayName?.name === "e2e";

module.exports = class extends Sequencer {
  sort(tests) {
    const sized = [...tests].map((test) => ({ test, first: isOfEngine(test), size: statSync(test.path).size }));
    return sized.sort((a, b) => Number(b.first) - Number(a.first) || b.size - a.size).map(({ test }) => test);
  }
};
