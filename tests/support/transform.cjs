// Compiles the sources once for all Jest projects. ts-jest's cache keys contain the whole configuration of a project, so each
// of the five projects would compile the same files again. Here it gets the same configuration for all of them.
const tsJest = require("ts-jest").default;

/** The configuration of a project without what is specific to it; always the same object for the same project. */
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
