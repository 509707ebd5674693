import { isHost } from "./host.js";
import type { dynamic } from "@pulumi/pulumi";
import { RulesetsError } from "../../../core/model/errors.js";
import { findKind } from "../../kinds/index.js";
import { adapt } from "./adapter.js";
import { whenEngineIsGone } from "../engine-gone.js";
import { ProviderProcess } from "../process.js";
import { dropDoubleReports } from "./drop-double-reports.js";

const PROTOCOL = 1;
/** How long to wait for the response to a request under way when the engine is gone. */
const LAST_RESPONSE_MS = 10_000;
const shared = new ProviderProcess(process.env, process.argv[2]);
dropDoubleReports(console);
if (isHost) whenEngineIsGone(process.argv[2] ?? "", process.stdin, () => void leave());

/**
 * Ends the process when the engine is gone. Waits for writes that are under way, so that the next run finds each of them
 * either complete or absent. Starts no further requests, because nothing would record their results.
 */
async function leave(): Promise<void> {
  setTimeout(() => process.exit(1), LAST_RESPONSE_MS);
  await shared.finish();
  process.exit(1);
}

/**
 * The provider of a kind of resource. Every state contains a line that calls this function with a kind and a protocol
 * number, so both must remain valid: `require("pulumi-rulesets/runtime").load("Ruleset", 1)`.
 */
export function load(kind: string, protocol: number): dynamic.ResourceProvider {
  const known = findKind(kind);
  if (known !== undefined && protocol === PROTOCOL) return adapt(known, shared);
  throw new RulesetsError(
    `this version of pulumi-rulesets does not know ${kind} (protocol ${String(protocol)}): a newer version wrote this state. Install that one or a later one.`,
    { code: "PROTOCOL_UNKNOWN" },
  );
}
