// Commands import this first: what they import next may not even load on an older Node.
import { late } from "../../../core/model/late.js";
import { unfitNode } from "../../../core/model/software-version.js";

interface NpmPackage {
  readonly engines: { readonly node: string };
}
const readManifest = late<NpmPackage>(() => require("../../../../package.json"));

const unfit = unfitNode({ version: process.versions.node, path: process.execPath }, readManifest().engines.node);
if (unfit !== undefined) {
  process.stderr.write(`pulumi-rulesets: ${unfit}\n`);
  process.exit(1);
}
