// Commands import this first: what they import next may not even load on an older Node.
import { unfit } from "../engine/this-node.js";

if (unfit !== undefined) {
  process.stderr.write(`pulumi-rulesets: ${unfit}\n`);
  process.exit(1);
}
