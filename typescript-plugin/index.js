// TypeScript's server looks for plugins by folder, and does not read `exports`.
module.exports = require("../dist/editor/typescript-plugin.js").init;
