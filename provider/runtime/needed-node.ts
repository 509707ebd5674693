// Commands import this first: what they import next may not even load on an older Node.
import { createRequire } from "node:module";
import { unfitNode } from "../model/software-version.js";

const load = createRequire(__filename);
const { engines } = load("../../../package.json") as { readonly engines: { readonly node: string } };
const unfit = unfitNode({ version: process.versions.node, path: process.execPath }, engines.node);
if (unfit !== undefined) {
  process.stderr.write(`pulumi-rulesets: ${unfit}\n`);
  process.exit(1);
}
