// The runtime imports this first: Node keeps the compiled code of what is imported next.
import { keepCompiledCode, optimizeLate, writeCompiledCode } from "../compiled-code.js";

const [, script = "", address = ""] = process.argv;

/** Whether this process hosts dynamic resources for an engine, and is not a program, test or tool that loads the runtime. */
export const isHost = /[\\/]cmd[\\/]dynamic-provider([\\/]|$)/.test(script) && /^[\w.[\]:-]+:\d+$/.test(address);

if (isHost) {
  keepCompiledCode();
  optimizeLate();
  // The engine's signal at the end of a run, when it has all answers.
  process.once("SIGINT", () => {
    writeCompiledCode();
    process.exit();
  });
}
