import pLimit from "p-limit";
import { PLANS } from "../../../../core/language/index.js";
import { ApiError, type Client, type Ruleset, type Scope, type Zone } from "../../../../client/index.js";
import { rulesetName, type ZoneInput } from "../../../../core/simulator/index.js";
import { firstLineOf, isForbidden } from "../../../../core/model/errors.js";
import { isDeclarable } from "../../../../core/model/ids.js";
import { requireVisible } from "../../../../core/model/ruleset.js";
import { rulesetInput } from "../../../../core/rules/without-server-fields.js";
import { ListItemReads } from "../../../../provider/engine/reads/list-items.js";
import { AccountListReads } from "../../../../provider/engine/reads/lists.js";
import { PRODUCTS_IN_PHASES } from "../../../../provider/validation/other-phases.js";
import { PHASE_NAMES } from "../../../../provider/validation/tables.js";
import { listNamesIn } from "../../../../provider/validation/list-uses.js";
import { mapFrom } from "../../../../core/model/json.js";
import type { LoadedRules, SourceFailure, SourceRuleset } from "../../../rules-files/loaded.js";

const AT_ONCE = 4;

/** The rulesets of a zone or an account, and which of them could not be read. */
interface ScopeRead {
  readonly rulesets: readonly Ruleset[];
  readonly unread: readonly SourceFailure[];
}

/** What zones of one account share: its rulesets and its lists. */
interface AccountRead {
  readonly rulesets: Promise<ScopeRead>;
  readonly lists: ListItemReads;
}
/** By account. */
export type AccountReads = Map<string, AccountRead>;

/**
 * Reads the rules of a zone and its account: one list each, and each ruleset that contains the user's rules; and the items of
 * the lists that they use.
 * @param asked names of other lists whose items matter
 */
export async function readZone(
  client: Client,
  zone: Zone,
  accounts: AccountReads = new Map(),
  asked: readonly string[] = [],
): Promise<LoadedRules> {
  const { accountId } = zone;
  const known = accounts.get(accountId) ?? {
    rulesets: readAccount(client, accountId),
    lists: new ListItemReads(new AccountListReads(() => client.lists), () => client.lists),
  };
  accounts.set(accountId, known);
  const [own, shared] = await Promise.all([
    readScope(client, { level: "zones", id: zone.id }, `the zone ${zone.name}`),
    known.rulesets,
  ]);
  const account = shared.rulesets;
  const accountIds = new Set(account.map(({ id }) => id));
  const all = [
    ...account.map((ruleset) => fromAccount(ruleset, zone)),
    ...own.rulesets.filter(({ id }) => !accountIds.has(id)).map((ruleset) => fromZone(ruleset, zone)),
  ];
  const rulesets = all.filter(({ input }) => isKnownPhase(input.phase));
  const newer = new Set(all.map(({ input }) => input.phase).filter((phase) => !isKnownPhase(phase)));
  const names = new Set([...listNamesIn(rulesets.flatMap(({ input }) => input.rules)), ...asked]);
  const read = await known.lists.read(accountId, [...names]).catch((error: unknown) => {
    const { failure, isForbidden: isHidden } = unreadPart("", error);
    return {
      lists: new Map<string, never>(),
      notRead: [`the items of lists could not be read: ${failure}`],
      isForbidden: isHidden,
    };
  });
  const lists = mapFrom(Array.from(read.lists, ([name, { input }]) => [name, input] as const));
  const unknown = read.notRead.map((why) => `What depends on lists is not known, because ${why}`);
  return {
    label: `the zone ${zone.name}`,
    rulesets: rulesets.map((ruleset) => ({ ...ruleset, input: { ...ruleset.input, lists } })),
    zone: { ...zoneInputOf(zone), accountId: zone.accountId },
    notes: unknown,
    unread: [
      ...own.unread,
      ...shared.unread,
      ...Array.from(newer, (phase) => ({ label: `the phase ${phase} of the zone ${zone.name}`, ...NEWER })),
    ],
    unreadLists: read.notRead.map((failure) => ({
      label: `the lists of the account ${accountId}`,
      failure,
      isForbidden: read.isForbidden,
    })),
    secrets: [],
  };
}

/** What rules of a phase do, and after which others they run, is known of these alone. */
const isKnownPhase = (phase: string): boolean => PHASE_NAMES.includes(phase) || PRODUCTS_IN_PHASES[phase] !== undefined;
const NEWER = {
  failure: "this version of pulumi-rulesets does not know it",
  cure: "a version of pulumi-rulesets that knows it",
};

async function readAccount(client: Client, id: string): Promise<ScopeRead> {
  const label = `the account ${id}`;
  try {
    return await readScope(client, { level: "accounts", id }, label);
  } catch (error) {
    return { rulesets: [], unread: [unreadPart(`the rulesets of ${label}`, error)] };
  }
}

/** Why a part could not be read. Anything but an answer of the service is a bug, and is rethrown. */
function unreadPart(label: string, error: unknown): SourceFailure {
  if (!(error instanceof ApiError)) throw error;
  return { label, failure: firstLineOf(error), isForbidden: isForbidden(error) };
}

/** What rules can read about a zone. */
function zoneInputOf({ id, name, plan }: Zone): ZoneInput {
  return { id, name, plan: PLANS.find((known) => known === plan) };
}

/** Managed rulesets belong to Cloudflare, and a zone's list includes the entry points of its account. */
async function readScope(client: Client, scope: Scope, label: string): Promise<ScopeRead> {
  const limit = pLimit(AT_ONCE);
  const own = requireVisible(await client.rulesets.list(scope), scope).filter((ruleset) =>
    isDeclarable(ruleset, scope),
  );
  const unread: SourceFailure[] = [];
  const read = own.map((one) =>
    limit(async (): Promise<readonly Ruleset[]> => {
      try {
        return [await client.rulesets.get(scope, one.id)];
      } catch (error) {
        unread.push(unreadPart(`${rulesetName(one)} among the rulesets of ${label}`, error));
        return [];
      }
    }),
  );
  return { rulesets: (await Promise.all(read)).flat(), unread };
}

function fromAccount(ruleset: Ruleset, { accountId, accountName }: Zone): SourceRuleset {
  const owner = accountName === "" ? {} : { owner: accountName };
  const input = { ...rulesetInput(ruleset), accountId, ...owner };
  return { label: rulesetName(input), input };
}

/** Reports name the zone as well, so the label does not. */
function fromZone(ruleset: Ruleset, { id, name }: Zone): SourceRuleset {
  const input = rulesetInput(ruleset);
  return { label: rulesetName(input), input: { ...input, zoneId: id, owner: name } };
}
