// The index imports this first: on an older Node, the checks of the first resource would fail somewhere in the middle.
import { RunError } from "@pulumi/pulumi";
import { unfit } from "../engine/this-node.js";

if (unfit !== undefined) throw new RunError(`pulumi-rulesets: ${unfit}`);
