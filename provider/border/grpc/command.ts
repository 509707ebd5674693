#!/usr/bin/env node
// The command `pulumi-resource-rulesets`: the bundle, with the compiled code of earlier runs.
import { createRequire } from "node:module";
import { keepCompiledCode } from "../compiled-code.js";

keepCompiledCode();
createRequire(__filename)("../../../pulumi-resource-rulesets.cjs");
