// Runs commands of the built command line one after the other, as processes of their own would: most of the time of such a process
// goes into loading the command. A command has ended when nothing is left that would keep its process alive.
const { writeSync } = require("node:fs");
const { flushCompileCache } = require("node:module");
const { dirname, join } = require("node:path");

const main = join(__dirname, "..", "..", "dist", "tools", "cli", "main.js");
const STREAMS = [process.stdout, process.stderr];

class Exit extends Error {}

/** What `process.exit` was called with, or the error was that nothing caught. */
let exitCode;
let isRunning = false;

for (const stream of STREAMS) {
  const write = stream.write.bind(stream);
  stream.write = (...given) => exitCode !== undefined || write(...given);
}
process.exit = (code = process.exitCode ?? 0) => {
  exitCode ??= code;
  throw new Exit();
};
process.on("uncaughtException", (error) => {
  if (error instanceof Exit) return;
  writeSync(2, `${error.stack}\n`);
  if (!isRunning) process.reallyExit(70);
  exitCode ??= 1;
});
process.on("disconnect", () => process.reallyExit(0));

process.on("beforeExit", () => {
  if (!isRunning) return;
  isRunning = false;
  for (const stream of STREAMS) stream.removeAllListeners("error");
  process.channel.ref();
  // Behind all that the command and its children have printed.
  for (const file of [1, 2]) writeSync(file, `\0${String(exitCode ?? process.exitCode ?? 0)}\0`);
  flushCompileCache();
});

process.on("message", ({ args, env, cwd }) => {
  isRunning = true;
  exitCode = process.exitCode = undefined;
  for (const name of Object.keys(process.env)) if (!(name in env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv = [process.execPath, main, ...args];
  process.channel.unref();
  // What a command has said once, and settings that it has read.
  for (const file of Object.keys(require.cache))
    if (file.startsWith(dirname(main))) Reflect.deleteProperty(require.cache, file);
  require(main);
});
