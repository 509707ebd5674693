// Compiles the sources once for all projects. ts-jest names what it has compiled by the whole configuration of a project,
// so that each of the five compiles the same files again; here it sees one configuration, whoever asks.
const tsJest = require("ts-jest").default;

/** The configuration of a project without what is its own, the same object for the same project. */
const common = new WeakMap();
function withCommon(options) {
  const { config } = options;
  if (!common.has(config))
    common.set(config, { ...config, displayName: undefined, globalSetup: undefined, testMatch: [] });
  return { ...options, config: common.get(config) };
}

module.exports = {
  createTransformer(settings) {
    const compiler = tsJest.createTransformer(settings);
    return {
      process: (text, path, options) => compiler.process(text, path, withCommon(options)),
      getCacheKey: (text, path, options) => compiler.getCacheKey(text, path, withCommon(options)),
    };
  },
};
