import type { dynamic } from "@pulumi/pulumi";
import { RulesetsError } from "../model/errors.js";
import { own } from "../model/json.js";
import { LIFECYCLES } from "../lifecycle/index.js";
import { adapt } from "./adapter.js";
import { ProviderProcess } from "./process.js";
import { dropDoubleReports } from "./quiet.js";

const PROTOCOL = 1;
const shared = new ProviderProcess(process.env, process.argv[2]);
dropDoubleReports(console);

/**
 * The provider of a kind of resource. Every state holds one line of text that calls this with a kind and a protocol
 * number, so both stay valid for ever: `require("pulumi-rulesets/runtime").load("Ruleset", 1)`.
 */
export function load(kind: string, protocol: number): dynamic.ResourceProvider {
  const known = own(LIFECYCLES, kind);
  if (known !== undefined && protocol === PROTOCOL) return adapt(known, shared);
  throw new RulesetsError(
    `this version of pulumi-rulesets does not know ${kind} (protocol ${String(protocol)}): a newer version wrote this state. Install that one or a later one.`,
    { code: "PROTOCOL_UNKNOWN" },
  );
}
