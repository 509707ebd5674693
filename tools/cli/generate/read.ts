import pLimit from "p-limit";
import {
  ApiError,
  type Client,
  type CustomHostname,
  type RulesetSummary,
  type Scope,
  type Zone,
} from "../../../client/index.js";
import { firstLineOf } from "../../../core/model/errors.js";
import { MANAGED_PHASE } from "../../../core/model/migration.js";
import { phaseOf } from "../../../core/previous-waf/phase.js";
import { isList, isObject, mapFrom } from "../../../core/model/json.js";
import { plural } from "../../../core/model/words.js";
import { isListKind, unknownKindWords } from "../../../core/lists/kind.js";
import { ManagedNames } from "../../../core/managed/names.js";
import {
  listLabel,
  rulesetLabel,
  scopeLabel,
  type FoundHostname,
  type FoundList,
  type FoundScope,
  type LeftOut,
} from "../../generator/index.js";

const AT_ONCE = 4;

/** Which resources to generate code for. */
interface Wanted {
  /** @default every phase, the lists and the certificate authority choices */
  readonly phases?: readonly string[];
  readonly certificates: boolean;
  readonly lists: boolean;
}

/** Resources that were not seen: the credentials may not read them, or the service lists none, which may mean the same. */
interface RefusedPart {
  /** The ID of the zone or the account. */
  readonly id: string;
  /** The classes of the resources. */
  readonly types: readonly string[];
  readonly name: string;
  readonly failure: string;
}

/** What was read of a zone or an account, and what could not be read. */
export interface ReadScope {
  readonly found: FoundScope;
  readonly leftOut: readonly LeftOut[];
  /** What of it the credentials may not read, as far as it is known: an earlier program may declare it. */
  readonly refused?: readonly RefusedPart[];
  /** Custom rulesets of the account that rules of a zone may execute. */
  readonly foreign: readonly RulesetSummary[];
  /** Whether the previous WAF still protects the zone. */
  readonly usesPreviousWaf?: boolean;
}

/**
 * Reads with the fewest requests: one list per zone or account, each selected ruleset, and once each managed ruleset whose
 * rules others override or skip, for their names.
 */
export class ScopeReader {
  /** The names of managed rules that were read. */
  readonly names = new ManagedNames();
  private readonly limit = pLimit(AT_ONCE);
  private readonly named = new Map<string, Promise<void>>();
  private readonly accounts = new Map<string, Promise<readonly RulesetSummary[] | Error>>();

  constructor(
    private readonly client: Client,
    private readonly wanted: Wanted,
  ) {}

  async account(id: string): Promise<ReadScope> {
    const scope: Scope = { level: "accounts", id };
    const list = await this.accountList(id);
    if (list instanceof Error) throw list;
    const found = { scope, name: id, hostnames: [] };
    const rulesets = await this.rulesets(
      scope,
      list.filter(({ kind }) => kind !== "managed"),
    );
    const { lists, leftOut, refused } = this.wanted.lists ? await this.lists(id) : NO_LISTS;
    return {
      found: { ...found, rulesets, lists },
      leftOut,
      refused: [...unseenRulesets(list, id, scopeLabel(found)), ...refused],
      foreign: [],
    };
  }

  /** Every list of an account with all of its items; without permission to read lists, none. */
  private async lists(accountId: string): Promise<Lists> {
    const where = scopeLabel({ scope: { level: "accounts", id: accountId }, name: accountId });
    const leftOut: LeftOut[] = [];
    const refused: RefusedPart[] = [];
    const part = { id: accountId, type: "RulesList", where, what: "lists" };
    const all = await readIfPermitted({ leftOut, refused }, part, () => this.client.lists.list(accountId));
    const known = (all ?? []).flatMap((list) => {
      const { kind } = list;
      if (isListKind(kind)) return [{ ...list, kind }];
      leftOut.push({ where, what: listLabel(list), reason: unknownKindWords(list) });
      return [];
    });
    const lists = known.map((list) =>
      this.limit(async (): Promise<FoundList[]> => {
        const { id, name, kind, description, size } = list;
        const stored = size === 0 ? [] : await this.client.lists.items(accountId, id, kind);
        if (stored.length === 0 && size > 0) {
          const failure = `the service counts ${plural(size, "item")} in it, and shows none`;
          leftOut.push({ where, what: listLabel(list), reason: failure });
          refused.push({ id: accountId, types: ["RulesList"], name: `${where}: ${listLabel(list)}`, failure });
          return [];
        }
        const items = mapFrom(stored.map(({ key, details }) => [key, details] as const));
        return [{ id, name, kind, description, items }];
      }),
    );
    return { lists: (await Promise.all(lists)).flat(), leftOut, refused };
  }

  async zone({ id, name, accountId }: Zone): Promise<ReadScope> {
    const scope: Scope = { level: "zones", id };
    const all = await this.client.rulesets.list(scope);
    const list = all.filter(({ kind }) => kind !== "managed" && kind !== "root");
    const { own, foreign, unclear } = await this.divide(list, accountId);
    const where = scopeLabel({ scope, name });
    const leftOut = unclear.map(({ ruleset, reason }) => ({ where, what: rulesetLabel(ruleset), reason }));
    const rulesets = await this.rulesets(scope, own);
    const certificates = this.wanted.certificates ? await this.certificates(id, where) : NO_CERTIFICATES;
    return {
      found: { scope, name, rulesets, hostnames: certificates.hostnames, totalTls: certificates.totalTls },
      leftOut: [...leftOut, ...certificates.leftOut],
      refused: [...unseenRulesets(all, id, where), ...certificates.refused],
      foreign,
      usesPreviousWaf: await this.usesPreviousWaf(id, list),
    };
  }

  private accountList(id: string): Promise<readonly RulesetSummary[] | Error> {
    const known = this.accounts.get(id);
    if (known !== undefined) return known;
    const listing = this.client.rulesets.list({ level: "accounts", id }).catch((error: unknown) => {
      if (error instanceof ApiError) return error;
      throw error;
    });
    this.accounts.set(id, listing);
    return listing;
  }

  /** A zone lists the custom rulesets of its account together with its own. */
  private async divide(list: readonly RulesetSummary[], accountId: string) {
    const custom = list.filter(({ kind }) => kind === "custom");
    const entrypoints = list.filter(({ kind }) => kind !== "custom");
    if (custom.length === 0) return { own: entrypoints, foreign: [], unclear: [] };
    const account = await this.accountList(accountId);
    if (account instanceof Error) {
      const reason = `whether it belongs to the zone or to its account could not be determined: ${firstLineOf(account)}`;
      return { own: entrypoints, foreign: [], unclear: custom.map((ruleset) => ({ ruleset, reason })) };
    }
    const ids = new Set(account.map(({ id }) => id));
    const isForeign = ({ id, kind }: RulesetSummary): boolean => kind === "custom" && ids.has(id);
    return { own: list.filter((one) => !isForeign(one)), foreign: custom.filter(isForeign), unclear: [] };
  }

  private async rulesets(scope: Scope, list: readonly RulesetSummary[]) {
    const wanted = list.filter(({ phase }) => this.isWanted(phase));
    const found = await Promise.all(wanted.map(({ id }) => this.limit(() => this.client.rulesets.get(scope, id))));
    const rulesets = found.flatMap(({ rules }) => rules.flatMap(rulesetsOfNamedRules));
    await Promise.all([...new Set(rulesets)].map((id) => this.learnNames(scope, id)));
    return found;
  }

  private isWanted(phase: string): boolean {
    return this.wanted.phases?.includes(phase) ?? true;
  }

  /** Reads a managed ruleset, which is the same everywhere, once. Without permission, its rules stay without names. */
  private learnNames(scope: Scope, id: string): Promise<void> {
    const known = this.named.get(id) ?? this.limit(async () => this.readNames(scope, id));
    this.named.set(id, known);
    return known;
  }

  private async readNames(scope: Scope, id: string): Promise<void> {
    const ruleset = await ifPermitted(() => this.client.rulesets.get(scope, id));
    if (ruleset !== undefined) this.names.learn(ruleset);
  }

  /** Asked only where nothing executes a managed ruleset: then the previous WAF may do so. */
  private async usesPreviousWaf(zoneId: string, list: readonly RulesetSummary[]): Promise<boolean> {
    if (!this.isWanted(MANAGED_PHASE) || list.some(({ phase, kind }) => phase === MANAGED_PHASE && kind === "zone"))
      return false;
    const status = await ifPermitted(() => this.client.wafMigration.status(zoneId));
    return status !== undefined && phaseOf(status) !== "finished";
  }

  private async certificates(zoneId: string, where: string): Promise<Certificates> {
    const leftOut: LeftOut[] = [];
    const refused: RefusedPart[] = [];
    const part = <T>(type: string, what: string, read: () => Promise<T>): Promise<T | undefined> =>
      readIfPermitted({ leftOut, refused }, { id: zoneId, type, where, what }, read);
    const all = await part("CustomHostnameCa", "custom hostnames", () => this.client.customHostnames.list(zoneId));
    const totalTls = await part("TotalTlsCa", "Total TLS", () => this.client.certificates.getTotalTls(zoneId));
    const judged = (all ?? []).map((hostname) => ({ hostname, reason: reasonUndeclarable(hostname) }));
    for (const { hostname, reason } of judged) {
      if (reason !== undefined) leftOut.push({ where, what: `custom hostname ${hostname.hostname}`, reason });
    }
    if (totalTls?.enabled === true && totalTls.certificateAuthority === "")
      leftOut.push({ where, what: "Total TLS", reason: NO_AUTHORITY });
    return {
      hostnames: judged.flatMap(({ hostname, reason }) => (reason === undefined ? foundHostname(hostname) : [])),
      ...(totalTls?.enabled === true && totalTls.certificateAuthority !== ""
        ? { totalTls: totalTls.certificateAuthority }
        : {}),
      leftOut,
      refused,
    };
  }
}

/** The service lists what the credentials may read: without any right, some lists are empty, and there is no error. */
const NONE = "the service lists none: there is none, or the credentials may not read any";

/** Rulesets of a scope for which the service does not even list those that Cloudflare manages. */
function unseenRulesets(list: readonly RulesetSummary[], id: string, where: string): readonly RefusedPart[] {
  if (list.length > 0) return [];
  return [{ id, types: ["PhaseEntrypoint", "Ruleset"], name: `${where}: rulesets`, failure: NONE }];
}

/** Reads a product; without permission, lists it among what is left out. */
async function readIfPermitted<T>(
  { leftOut, refused }: { readonly leftOut: LeftOut[]; readonly refused: RefusedPart[] },
  { id, type, where, what }: Omit<LeftOut, "reason"> & Pick<RefusedPart, "id"> & { readonly type: string },
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    const found = await read();
    if (isList(found) && found.length === 0)
      refused.push({ id, types: [type], name: `${where}: ${what}`, failure: NONE });
    return found;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // A zone or an account without the product answers 404.
    if (error.code === "API_NOT_FOUND") return undefined;
    if (error.code !== "API_FORBIDDEN") throw error;
    const failure = firstLineOf(error);
    leftOut.push({ where, what, reason: failure });
    refused.push({ id, types: [type], name: `${where}: ${what}`, failure });
    return undefined;
  }
}

async function ifPermitted<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The rulesets of which a rule overrides or skips single rules. */
function rulesetsOfNamedRules({ actionParameters }: { readonly actionParameters?: unknown }): string[] {
  if (!isObject(actionParameters)) return [];
  const { id, overrides, rules } = actionParameters;
  const overridden = typeof id === "string" && isObject(overrides) && isList(overrides.rules) ? [id] : [];
  return [...overridden, ...(isObject(rules) ? Object.keys(rules) : [])];
}

interface Lists {
  readonly lists: readonly FoundList[];
  readonly leftOut: readonly LeftOut[];
  readonly refused: readonly RefusedPart[];
}

const NO_LISTS: Lists = { lists: [], leftOut: [], refused: [] };

interface Certificates {
  readonly hostnames: readonly FoundHostname[];
  readonly totalTls?: string;
  readonly leftOut: readonly LeftOut[];
  readonly refused: readonly RefusedPart[];
}

const NO_CERTIFICATES: Certificates = { hostnames: [], leftOut: [], refused: [] };
const NO_AUTHORITY = "the service does not return its certificate authority";

/** A certificate that the owner uploaded has no issuing authority. */
function foundHostname({ id, hostname, ssl }: CustomHostname): FoundHostname[] {
  return ssl.uploaded ? [] : [{ id, hostname, certificateAuthority: ssl.certificateAuthority }];
}

/** Why the authority of a hostname could not be declared without an edit that would reissue its certificate. */
function reasonUndeclarable({ ssl }: CustomHostname): string | undefined {
  if (ssl.uploaded) return undefined;
  if (ssl.certificateAuthority === "") return NO_AUTHORITY;
  return ssl.method === "" ? "it has no validation method yet" : undefined;
}
