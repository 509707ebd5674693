import type { KindName } from "../../provider/kinds/index.js";
import { ownValue, textOf, type JsonObject } from "../../provider/model/json.js";
import { knownText } from "../../provider/model/unknown.js";
import type { Step } from "./preview.js";
import type { Drift, PlannedRequest, ResourceSummary } from "./summary.js";

/** What a summary says about a kind of resource whose rules it does not show. */
interface OtherKind {
  readonly title: (inputs: JsonObject) => string;
  /** The request that a write sends, and when it sends none; undefined for a kind that writes nothing. */
  readonly write?: (zone: string, inputs: JsonObject) => PlannedRequest;
}

const SAME_AUTHORITY = "that authority is already in use";
const hostnameIn = (inputs: JsonObject): string => knownText(inputs.hostname) || "a custom hostname";

/** Every kind of resource, except those for rulesets and their rules. */
const KINDS: Readonly<Record<Exclude<KindName, "Ruleset" | "PhaseEntrypoint" | "RulesetRule">, OtherKind>> = {
  CustomHostnameCa: {
    title: (inputs) => `certificate authority of ${hostnameIn(inputs)}`,
    write: (zone, inputs) => ({
      call: `PATCH ${zone}/custom_hostnames/${textOf(inputs.customHostnameId) || "<id>"}`,
      unless: SAME_AUTHORITY,
    }),
  },
  CustomHostnameCertificate: { title: (inputs) => `certificate of ${hostnameIn(inputs)}` },
  RulesList: { title: (inputs) => `list ${knownText(inputs.name)}` },
  TotalTlsCa: {
    title: () => "certificate authority of Total TLS",
    write: (zone) => ({ call: `POST ${zone}/acm/total_tls`, unless: SAME_AUTHORITY }),
  },
  ZoneWafMigration: {
    title: () => "WAF migration",
    write: (zone, inputs) => ({
      call: `PUT ${zone}/rulesets/phases/http_request_firewall_managed/entrypoint (waf_migration=${textOf(inputs.mode)})`,
      unless: "the zone is already at that step",
    }),
  },
};

/** What a resource is about. */
export function titleOf(type: string, inputs: JsonObject): string {
  return ownValue<OtherKind>(KINDS, type)?.title(inputs) ?? type;
}

/** The requests that a step on a resource sends. */
export function otherRequests(
  type: string,
  op: Exclude<ResourceSummary["op"], Drift>,
  { before, after }: Step,
): readonly PlannedRequest[] {
  const inputs = after?.inputs ?? before?.inputs ?? {};
  const undoes = op === "delete" && textOf(inputs.onDelete) !== "" && textOf(inputs.onDelete) !== "keep";
  const writes = op === "create" || op === "update" || op === "replace" || undoes;
  const request = ownValue<OtherKind>(KINDS, type)?.write?.(`/zones/${textOf(inputs.zoneId) || "<zone>"}`, inputs);
  return writes && request !== undefined ? [request] : [];
}
