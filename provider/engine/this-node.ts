import { late } from "../../core/model/late.js";
import { unfitNode } from "../../core/model/software-version.js";

interface NpmPackage {
  readonly engines: { readonly node: string };
}
const readManifest = late<NpmPackage>(() => require("../../../package.json"));

/** Why this package does not run on the Node of this process, in one line; undefined if it does. */
export const unfit = unfitNode({ version: process.versions.node, path: process.execPath }, readManifest().engines.node);
