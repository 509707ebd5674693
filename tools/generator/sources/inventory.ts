import { isList, isObject, type JsonObject, textOf } from "../../../core/model/json.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { plural } from "../../../core/model/words.js";
import type { Scope } from "../../../core/model/ids.js";
import {
  rulesetLabel,
  scopeLabel,
  UPLOADED,
  type FoundHostname,
  type FoundList,
  type FoundRuleset,
  type FoundScope,
  type Inventory,
  type LeftOut,
} from "../inventory.js";
import type { ForeignResource } from "./foreign.js";
import {
  convertPreviousWaf,
  isDataSource,
  isWafInformation,
  phasesOfPrevious,
  PREVIOUS_TYPES,
} from "./previous-waf/index.js";
import { convertList } from "./lists.js";
import { readPulumiState } from "./pulumi.js";
import { convertRuleset } from "./ruleset.js";
import { readShownState, readStateFile } from "./terraform.js";

/** Resources from a state of Terraform, OpenTofu or Pulumi; undefined for any other document. */
export function readForeign(document: unknown): ForeignResource[] | undefined {
  if (!isObject(document)) return undefined;
  return readStateFile(document) ?? readShownState(document) ?? readPulumiState(document);
}

/** A zone or an account while it is being assembled. */
interface OpenScope {
  readonly found: FoundScope;
  /** By ID, because two files may contain the same one. */
  readonly rulesets: Map<string, FoundRuleset>;
  readonly hostnames: Map<string, FoundHostname>;
  readonly lists: Map<string, FoundList>;
  readonly previous: ForeignResource[];
  totalTls?: string;
}

/** Other tools' resources that have rules in these phases, and those that only provide names. */
export function selectByPhases(resources: readonly ForeignResource[], phases: readonly string[]): ForeignResource[] {
  return resources.filter((resource) => {
    const { type, values } = resource;
    if (type === "cloudflare_ruleset") return phases.includes(textOf(values.phase));
    return (
      type === "cloudflare_zone" ||
      isWafInformation(resource) ||
      phasesOfPrevious(type).some((phase) => phases.includes(phase))
    );
  });
}

/**
 * Converts other tools' resources to zones and accounts.
 * @param phases phases of the rulesets to include; all if missing
 */
export function inventoryOf(resources: readonly ForeignResource[], phases?: readonly string[]): Inventory {
  const leftOut: LeftOut[] = [];
  const scopes = new Map<string, OpenScope>();
  const names = zoneNames(resources);
  const knowledge = Map.groupBy(resources.filter(isWafInformation), ({ values }) => textOf(values.zone_id));
  const listItems = resources.filter(({ type, address }) => type === "cloudflare_list_item" && !isDataSource(address));
  for (const resource of resources) {
    if (!isOurs(resource)) continue;
    const scope = scopeOf(resource.values);
    if (scope === undefined) {
      leftOut.push({
        where: "an unknown zone or account",
        what: resource.address,
        reason: whyNowhere(resource.values),
      });
      continue;
    }
    const key = `${scope.level}/${scope.id}`;
    const open = scopes.get(key) ?? openScope(scope, names.get(scope.id) ?? scope.id);
    scopes.set(key, open);
    const refused = addResource(open, resource, listItems);
    if (refused !== undefined) leftOut.push({ where: scopeLabel(open.found), ...refused });
  }
  leftOut.push(...itemsWithoutList(resources, listItems));
  const found = [...scopes.values()].map((open): FoundScope => {
    const information = knowledge.get(open.found.scope.id) ?? [];
    const previous = convertPreviousWaf(open.previous, information, scopeLabel(open.found));
    leftOut.push(...previous.leftOut);
    const converted = previous.rulesets.filter(({ phase }) => phases?.includes(phase) !== false);
    const { rulesets, duplicates } = onePerPhase([...open.rulesets.values(), ...converted]);
    for (const duplicate of duplicates)
      leftOut.push({
        where: scopeLabel(open.found),
        what: rulesetLabel(duplicate),
        reason: "a phase has one entry point, but the files contain two; the first one was used",
      });
    const [hostnames, lists] = [[...open.hostnames.values()], [...open.lists.values()]];
    return { ...open.found, rulesets, hostnames, lists, totalTls: open.totalTls };
  });
  return { scopes: found, leftOut };
}

/** Items whose list the files do not contain. */
function itemsWithoutList(resources: readonly ForeignResource[], items: readonly ForeignResource[]): LeftOut[] {
  const lists = new Set(resources.filter(isOurs).flatMap(({ type, id }) => (type === "cloudflare_list" ? [id] : [])));
  const lost = items.filter(({ values }) => !lists.has(textOf(values.list_id)));
  return [...new Set(lost.map(({ values }) => textOf(values.list_id)))].map((listId) => {
    const own = lost.filter(({ values }) => textOf(values.list_id) === listId);
    const where = `account ${textOf(own[0]?.values.account_id)}`;
    return {
      where,
      what: `${plural(own.length, "item")} of the list ${listId}`,
      reason: "the state does not contain the list",
    };
  });
}

const TAKEN = new Set(["cloudflare_ruleset", "cloudflare_custom_hostname", "cloudflare_total_tls", "cloudflare_list"]);

function isOurs({ type, address }: ForeignResource): boolean {
  return (TAKEN.has(type) || PREVIOUS_TYPES.has(type)) && !isDataSource(address);
}

function openScope(scope: Scope, name: string): OpenScope {
  return {
    found: { scope, name, rulesets: [], hostnames: [] },
    rulesets: new Map(),
    hostnames: new Map(),
    lists: new Map(),
    previous: [],
  };
}

/** Adds a resource to its zone or account, or returns why it is left out. */
function addResource(
  open: OpenScope,
  resource: ForeignResource,
  listItems: readonly ForeignResource[],
): Omit<LeftOut, "where"> | undefined {
  const { type, address } = resource;
  const refuse = (reason: string): Omit<LeftOut, "where"> => ({ what: address, reason });
  const hidden = TAKEN.has(type) ? sensitiveIn(resource.values, PLAIN) : undefined;
  if (hidden !== undefined) return refuse(hidden);
  switch (type) {
    case "cloudflare_ruleset": {
      const ruleset = convertRuleset(resource);
      if (typeof ruleset === "string") return refuse(ruleset);
      if (!open.rulesets.has(resource.id)) open.rulesets.set(resource.id, ruleset);
      return undefined;
    }
    case "cloudflare_custom_hostname": {
      if (textOf(resource.values.hostname) === "") return refuse("the state does not contain its name");
      const ssl = sslOf(resource.values);
      if (ssl === undefined) return refuse("it has no certificate in the state");
      const { certificate_authority: authority, custom_certificate: uploaded } = ssl;
      if (textOf(uploaded) !== "") return refuse(UPLOADED);
      if (textOf(authority) === "" || isUnknown(authority))
        return refuse("the state does not contain its certificate authority");
      const hostname = {
        id: resource.id,
        hostname: textOf(resource.values.hostname),
        certificateAuthority: textOf(authority),
      };
      open.hostnames.set(resource.id, hostname);
      return undefined;
    }
    case "cloudflare_list": {
      const list = convertList(resource, listItems);
      if (typeof list === "string") return refuse(list);
      if (!open.lists.has(resource.id)) open.lists.set(resource.id, list);
      return undefined;
    }
    case "cloudflare_total_tls": {
      const authority = textOf(resource.values.certificate_authority);
      if (resource.values.enabled !== true)
        return refuse("Total TLS is off, and TotalTlsCa turns it neither on nor off");
      if (authority === "") return refuse("the state does not contain its certificate authority");
      open.totalTls = authority;
      return undefined;
    }
    default:
      open.previous.push(resource);
      return undefined;
  }
}

export function scopeOf({ zone_id: zone, account_id: account }: JsonObject): Scope | undefined {
  const [level, id] = textOf(zone) === "" ? (["accounts", account] as const) : (["zones", zone] as const);
  return textOf(id) === "" || isUnknown(id) ? undefined : { level, id: textOf(id) };
}

export function whyNowhere(values: JsonObject): string {
  return sensitiveIn(values, ["zone_id", "account_id"]) ?? "the state contains neither its zone nor its account";
}

/** Arguments that a program contains in plain text, as a part of what the resource is. */
const PLAIN = ["kind", "phase", "name", "description", "hostname"];

/** Why a resource is left out of which one of these arguments is not shown. */
function sensitiveIn(values: JsonObject, names: readonly string[]): string | undefined {
  const hidden = names.find((name) => isUnknown(values[name]));
  return hidden === undefined ? undefined : `its ${hidden} is marked as sensitive in the state`;
}

/** The certificate of a custom hostname; undefined if it has none. The Pulumi package calls the block `ssls` up to version 5. */
function sslOf({ ssl, ssls }: JsonObject): JsonObject | undefined {
  const block = ssl ?? ssls;
  const value = isList(block) ? block[0] : block;
  if (!isObject(value)) return undefined;
  return {
    certificate_authority: value.certificate_authority ?? value.certificateAuthority,
    custom_certificate: value.custom_certificate ?? value.customCertificate,
  };
}

/** Names of the zones in the state, by ID. */
export function zoneNames(resources: readonly ForeignResource[]): Map<string, string> {
  const zones = resources.filter(({ type }) => type === "cloudflare_zone");
  return new Map(
    zones.flatMap(({ id, values }) => {
      const name = textOf(values.zone) || textOf(values.name);
      const own = id || textOf(values.zone_id);
      return name === "" || own === "" ? [] : [[own, name] as const];
    }),
  );
}

function onePerPhase(rulesets: readonly FoundRuleset[]): {
  readonly rulesets: readonly FoundRuleset[];
  readonly duplicates: readonly FoundRuleset[];
} {
  const entrypoints = new Map<string, FoundRuleset>();
  for (const ruleset of rulesets) {
    if (ruleset.kind !== "custom" && !entrypoints.has(ruleset.phase)) entrypoints.set(ruleset.phase, ruleset);
  }
  const isTaken = (ruleset: FoundRuleset): boolean =>
    ruleset.kind === "custom" || entrypoints.get(ruleset.phase) === ruleset;
  return { rulesets: rulesets.filter(isTaken), duplicates: rulesets.filter((one) => !isTaken(one)) };
}
