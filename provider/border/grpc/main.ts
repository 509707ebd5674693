#!/usr/bin/env node
import "../needed-node.js";
import { whenEngineIsGone } from "../engine-gone.js";
import { packageInfo } from "./package-info.js";
import { PluginServer } from "./server.js";
import { keepProcessSmall } from "./small-process.js";

/** How long to wait for the response to a request under way when the engine is gone. */
const LAST_RESPONSE_MS = 10_000;

keepProcessSmall();

/** `pulumi-resource-rulesets [engine]`: serves the engine, which started it, and prints the port for it. */
async function main(engine: string | undefined): Promise<void> {
  const server = new PluginServer({ info: packageInfo(), env: process.env, engine });
  if (engine !== undefined) whenEngineIsGone(engine, process.stdin, () => void leave(server));
  process.stdout.write(`${String(await server.listen())}\n`);
}

/** Ends the process as the host of dynamic providers does: writes that are under way get their responses first. */
async function leave(server: PluginServer): Promise<void> {
  setTimeout(() => process.exit(1), LAST_RESPONSE_MS);
  await server.finish();
  process.exit(1);
}

void main(process.argv[2]);
