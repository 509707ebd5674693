// Started by host/pulumi-resource-pulumi-nodejs in the folder of the program: the SDK's host of dynamic resources.
import { createRequire } from "node:module";
import { join } from "node:path";
import "./load-late.js";

const HOST = "@pulumi/pulumi/cmd/dynamic-provider";

function findHost(): string {
  try {
    return createRequire(join(process.cwd(), "program.js")).resolve(HOST);
  } catch {
    process.stderr.write(`${HOST} was not found from ${process.cwd()}. To continue: run \`npm install\` there.\n`);
    process.exit(1);
  }
}

const host = findHost();
// The runtime recognizes a host by this.
process.argv[1] = host;
// With the first call, the host would load the runtime anyway. Loaded now, it ends this process even if the engine is killed
// before the first call.
require("../runtime/index.js");
require(host);
