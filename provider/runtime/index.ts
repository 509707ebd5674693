import type { dynamic } from "@pulumi/pulumi";
import { RulesetsError } from "../model/errors.js";
import { own } from "../model/json.js";
import { KINDS } from "../kinds/index.js";
import { adapt } from "./adapter.js";
import { whenEngineIsGone } from "./engine-gone.js";
import { ProviderProcess } from "./process.js";
import { dropDoubleReports } from "./quiet.js";

const PROTOCOL = 1;
/** How long an answer to a request under way is waited for when the engine is gone. */
const LAST_ANSWER_MS = 10_000;
const shared = new ProviderProcess(process.env, process.argv[2]);
dropDoubleReports(console);
if (isHost(process.argv)) whenEngineIsGone(process.argv[2] ?? "", process.stdin, () => void leave());

/** Whether this is the host of dynamic resources, with an engine's address; and no program, test or tool that loads it. */
function isHost([, script = "", address = ""]: readonly string[]): boolean {
  return /[\\/]cmd[\\/]dynamic-provider([\\/]|$)/.test(script) && /^[\w.[\]:-]+:\d+$/.test(address);
}

/**
 * Ends a process that nobody is left to talk to. A write that is under way is let through, so that the next run finds
 * all of it or nothing; anything that would follow is not begun, for nobody would note what became of it.
 */
async function leave(): Promise<void> {
  setTimeout(() => process.exit(1), LAST_ANSWER_MS);
  await shared.finish();
  process.exit(1);
}

/**
 * The provider of a kind of resource. Every state holds one line of text that calls this with a kind and a protocol
 * number, so both stay valid for ever: `require("pulumi-rulesets/runtime").load("Ruleset", 1)`.
 */
export function load(kind: string, protocol: number): dynamic.ResourceProvider {
  const known = own(KINDS, kind)?.();
  if (known !== undefined && protocol === PROTOCOL) return adapt(known, shared);
  throw new RulesetsError(
    `this version of pulumi-rulesets does not know ${kind} (protocol ${String(protocol)}): a newer version wrote this state. Install that one or a later one.`,
    { code: "PROTOCOL_UNKNOWN" },
  );
}
