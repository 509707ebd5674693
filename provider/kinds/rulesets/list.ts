import type { Listed, ListIn, Place } from "../../engine/listing.js";
import type { Session } from "../../engine/session.js";
import { entrypointKind, phaseResourceId, rulesetResourceId } from "../../model/ids.js";
import { rulesetName } from "../../model/names.js";
import type { RulesetSummary } from "../../model/ruleset.js";

/** A ruleset of a place, with the ID of the resource that manages it. */
interface ListedRuleset extends Listed {
  readonly rulesetId: string;
}

/** The entry points of a zone or an account. */
export const listEntrypoints: ListIn = async function* (session, place) {
  for (const summary of await rulesetsIn(session, place))
    if (summary.kind === entrypointKind(place)) yield entrypoint(place, summary);
};

/** Every ruleset of a zone or an account that can be created: custom rulesets, and entry points. */
export const listRulesets: ListIn = async function* (session, place) {
  for (const summary of await rulesetsIn(session, place))
    yield { id: rulesetResourceId(place, summary.id), name: nameIn(place, summary) };
};

/** Every ruleset by the ID of the resource that manages it as a whole: entry points by their phases. */
export async function* listByResource(session: Session, place: Place): AsyncGenerator<ListedRuleset> {
  for (const summary of await rulesetsIn(session, place)) {
    if (summary.kind === "custom") {
      const id = rulesetResourceId(place, summary.id);
      yield { id, name: nameIn(place, summary), rulesetId: summary.id };
    } else yield entrypoint(place, summary);
  }
}

function entrypoint(place: Place, summary: RulesetSummary): ListedRuleset {
  return { id: phaseResourceId(place, summary.phase), name: nameIn(place, summary), rulesetId: summary.id };
}

function nameIn({ name: where }: Place, { kind, name, phase }: RulesetSummary): string {
  return kind === "custom" ? `${where} ${rulesetName({ kind, name, phase })}` : `${where} ${phase}`;
}

/** The rulesets of a place that programs can manage. A zone lists the custom rulesets of its account together with its own. */
async function rulesetsIn(session: Session, place: Place): Promise<readonly RulesetSummary[]> {
  const all = await session.client.rulesets.list({ level: place.level, id: place.id });
  const own = all.filter(({ kind }) => kind === "custom" || kind === entrypointKind(place));
  if (place.level === "accounts" || own.every(({ kind }) => kind !== "custom")) return own;
  const ofAccount = await session.part(accountRulesets).of(session, place.accountId);
  return own.filter(({ id }) => !ofAccount.has(id));
}

/** The IDs of the rulesets of each account, which are listed once in a run. */
class AccountRulesets {
  private readonly known = new Map<string, Promise<ReadonlySet<string>>>();

  of({ client }: Session, accountId: string): Promise<ReadonlySet<string>> {
    const known = this.known.get(accountId);
    if (known !== undefined) return known;
    const listing = client.rulesets
      .list({ level: "accounts", id: accountId })
      .then((list) => new Set(list.map(({ id }) => id)));
    this.known.set(accountId, listing);
    return listing;
  }
}

function accountRulesets(): AccountRulesets {
  return new AccountRulesets();
}
