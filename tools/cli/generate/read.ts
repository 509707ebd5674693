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
import { requireVisible } from "../../../core/model/ruleset.js";
import { hasCertificate } from "../../../core/certificates/status.js";
import { ManagedNames } from "../../../core/managed/names.js";
import {
  listLabel,
  rulesetLabel,
  scopeLabel,
  UPLOADED,
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

/** What was read of a zone or an account, and what could not be read. */
export interface ReadScope {
  readonly found: FoundScope;
  readonly leftOut: readonly LeftOut[];
  /** Why its rulesets could not be listed; the rest of it was read. */
  readonly failure?: string;
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
  private readonly accounts = new Map<string, Promise<readonly RulesetSummary[] | ApiError>>();

  constructor(
    private readonly client: Client,
    private readonly wanted: Wanted,
  ) {}

  async account(id: string): Promise<ReadScope> {
    const scope: Scope = { level: "accounts", id };
    const found = { scope, name: id, hostnames: [] };
    const parts = new Parts(scopeLabel(found));
    const list = await this.accountList(id);
    const own = list instanceof ApiError ? [] : list.filter(({ kind }) => kind !== "managed");
    const rulesets = await this.rulesets(scope, own, parts);
    const lists = this.wanted.lists ? await this.lists(id, parts) : [];
    if (list instanceof ApiError && lists.length === 0) throw list;
    return { found: { ...found, rulesets, lists }, foreign: [], ...parts.withRulesets(list) };
  }

  /** Every list of an account with all of its items; without permission to read lists, none. */
  private async lists(accountId: string, parts: Parts): Promise<readonly FoundList[]> {
    const all = await parts.one("lists", () => this.client.lists.list(accountId));
    const lists = (all ?? []).map((list) =>
      this.limit(async (): Promise<FoundList[]> => {
        const { id, name, kind, description, size } = list;
        const items = () => this.client.lists.items(accountId, id, kind, size);
        const stored = size === 0 ? [] : await parts.one(listLabel(list), items);
        if (stored === undefined) return [];
        return [
          { id, name, kind, description, items: mapFrom(stored.map(({ key, details }) => [key, details] as const)) },
        ];
      }),
    );
    return (await Promise.all(lists)).flat();
  }

  async zone({ id, name, accountId }: Zone): Promise<ReadScope> {
    const scope: Scope = { level: "zones", id };
    const parts = new Parts(scopeLabel({ scope, name }));
    const all = await this.list(scope);
    const list = all instanceof ApiError ? [] : all.filter(({ kind }) => kind !== "managed" && kind !== "root");
    const { own, foreign, unclear } = await this.divide(list, accountId);
    for (const { ruleset, reason } of unclear) parts.leave(rulesetLabel(ruleset), reason);
    const rulesets = await this.rulesets(scope, own, parts);
    const certificates = this.wanted.certificates ? await this.certificates(id, parts) : NO_CERTIFICATES;
    if (all instanceof ApiError && certificates.hostnames.length === 0 && certificates.totalTls === undefined)
      throw all;
    return {
      found: { scope, name, rulesets, ...certificates },
      foreign,
      usesPreviousWaf: !(all instanceof ApiError) && (await this.usesPreviousWaf(id, list)),
      ...parts.withRulesets(all),
    };
  }

  private accountList(id: string): Promise<readonly RulesetSummary[] | ApiError> {
    const known = this.accounts.get(id);
    if (known !== undefined) return known;
    const listing = this.list({ level: "accounts", id });
    this.accounts.set(id, listing);
    return listing;
  }

  private list(scope: Scope): Promise<readonly RulesetSummary[] | ApiError> {
    return orError(this.client.rulesets.list(scope).then((all) => requireVisible(all, scope)));
  }

  /** A zone lists the custom rulesets of its account together with its own. */
  private async divide(list: readonly RulesetSummary[], accountId: string) {
    const custom = list.filter(({ kind }) => kind === "custom");
    const entrypoints = list.filter(({ kind }) => kind !== "custom");
    if (custom.length === 0) return { own: entrypoints, foreign: [], unclear: [] };
    const account = await this.accountList(accountId);
    if (account instanceof ApiError) {
      const reason = `whether it belongs to the zone or to its account could not be determined: ${firstLineOf(account)}`;
      return { own: entrypoints, foreign: [], unclear: custom.map((ruleset) => ({ ruleset, reason })) };
    }
    const ids = new Set(account.map(({ id }) => id));
    const isForeign = ({ id, kind }: RulesetSummary): boolean => kind === "custom" && ids.has(id);
    return { own: list.filter((one) => !isForeign(one)), foreign: custom.filter(isForeign), unclear: [] };
  }

  private async rulesets(scope: Scope, list: readonly RulesetSummary[], parts: Parts) {
    const wanted = list.filter(({ phase }) => this.isWanted(phase));
    const read = wanted.map((one) =>
      this.limit(() => parts.one(rulesetLabel(one), () => this.client.rulesets.get(scope, one.id))),
    );
    const found = (await Promise.all(read)).flatMap((ruleset) => ruleset ?? []);
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
    const ruleset = await orError(this.client.rulesets.get(scope, id));
    if (!(ruleset instanceof ApiError)) this.names.learn(ruleset);
  }

  /** Asked only where nothing executes a managed ruleset: then the previous WAF may do so. */
  private async usesPreviousWaf(zoneId: string, list: readonly RulesetSummary[]): Promise<boolean> {
    if (!this.isWanted(MANAGED_PHASE) || list.some(({ phase, kind }) => phase === MANAGED_PHASE && kind === "zone"))
      return false;
    const status = await orError(this.client.wafMigration.status(zoneId));
    return !(status instanceof ApiError) && phaseOf(status) !== "finished";
  }

  private async certificates(zoneId: string, parts: Parts): Promise<Certificates> {
    const all = await parts.one("custom hostnames", () => this.client.customHostnames.list(zoneId));
    const tls = await parts.one("Total TLS", () => this.client.certificates.getTotalTls(zoneId));
    const judged = (all ?? []).map((hostname) => ({ hostname, reason: reasonUndeclarable(hostname) }));
    for (const { hostname, reason } of judged) {
      if (reason !== undefined) parts.leave(`custom hostname ${hostname.hostname || hostname.id}`, reason);
    }
    const totalTls = tls?.enabled === true ? tls.certificateAuthority : undefined;
    if (totalTls === "") parts.leave("Total TLS", NO_AUTHORITY);
    return {
      hostnames: judged.flatMap(({ hostname: { id, hostname, ssl }, reason }): FoundHostname[] =>
        reason === undefined ? [{ id, hostname, certificateAuthority: ssl.certificateAuthority }] : [],
      ),
      ...(totalTls === undefined || totalTls === "" ? {} : { totalTls }),
    };
  }
}

/** The parts of a zone or an account: one that cannot be read hides no other. */
class Parts {
  private readonly leftOut: LeftOut[] = [];

  constructor(private readonly where: string) {}

  /** Reads a part; if the service does not return it, lists it among what is left out. */
  async one<T>(what: string, read: () => Promise<T>): Promise<T | undefined> {
    const found = await orError(read());
    if (!(found instanceof ApiError)) return found;
    this.leave(what, firstLineOf(found));
    return undefined;
  }

  leave(what: string, reason: string): void {
    this.leftOut.push({ where: this.where, what, reason });
  }

  /** All of them, with the list of rulesets, or why there is none. */
  withRulesets(list: readonly RulesetSummary[] | ApiError): Pick<ReadScope, "leftOut" | "failure"> {
    return {
      leftOut: this.leftOut,
      ...(list instanceof ApiError ? { failure: `its rulesets: ${firstLineOf(list)}` } : {}),
    };
  }
}

/** What the service returns, or why it does not. */
async function orError<T>(read: Promise<T>): Promise<T | ApiError> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof ApiError) return error;
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

type Certificates = Pick<FoundScope, "hostnames" | "totalTls">;

const NO_CERTIFICATES: Certificates = { hostnames: [] };
const NO_AUTHORITY = "the service does not return its certificate authority";

/** Why the authority of a hostname could not be declared without an edit that would reissue its certificate. */
function reasonUndeclarable({ id, hostname, ssl }: CustomHostname): string | undefined {
  if (id === "" || hostname === "") return `the service returns it without ${id === "" ? "its ID" : "its name"}`;
  if (ssl.uploaded) return UPLOADED;
  if (!hasCertificate(ssl)) return "it has no certificate";
  if (ssl.certificateAuthority === "") return NO_AUTHORITY;
  return ssl.method === "" ? "it has no validation method yet" : undefined;
}
