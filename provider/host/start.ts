// Started by host/pulumi-resource-pulumi-nodejs in the folder of the program: the SDK's host of dynamic resources.
import { createRequire } from "node:module";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { keepCompiledCode } from "../runtime/compiled-code.js";
import "./load-late.js";

// Collects garbage before the heap has grown by a third. By default it may grow to several times its size first, which for a
// process as small and short as this one means hardly any collection, and twice the memory.
setFlagsFromString("--heap-growing-percent=30");

keepCompiledCode();
const load = createRequire(__filename);

/** The SDK's host, as its own script finds it: from the folder of the program. */
function findHost(): string {
  try {
    return createRequire(join(process.cwd(), "program.js")).resolve("@pulumi/pulumi/cmd/dynamic-provider");
  } catch {
    process.stderr.write(
      `@pulumi/pulumi was not found from ${process.cwd()}. To continue: run \`npm install\` in the project.\n`,
    );
    process.exit(1);
  }
}

const host = findHost();
// The runtime recognises a host by its script.
process.argv[1] = host;
// The host would load the runtime with the first call. Loaded now, the runtime also ends this process if the engine is killed
// before that.
load("../runtime/index.js");
load(host);
