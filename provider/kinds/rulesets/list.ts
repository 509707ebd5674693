import { entrypointKind, isDeclarable, phaseResourceId, rulesetResourceId } from "../../../core/model/ids.js";
import { rulesetName } from "../../../core/model/names.js";
import type { RulesetSummary } from "../../../core/model/ruleset.js";
import type { Listed, ListIn, NamedScope } from "../../engine/listing.js";
import type { Session } from "../../engine/session.js";
import { withoutRulesetsOf } from "./own-rulesets.js";

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
export async function* listByResource(session: Session, place: NamedScope): AsyncGenerator<ListedRuleset> {
  for (const summary of await rulesetsIn(session, place)) {
    if (summary.kind === "custom") {
      const id = rulesetResourceId(place, summary.id);
      yield { id, name: nameIn(place, summary), rulesetId: summary.id };
    } else yield entrypoint(place, summary);
  }
}

function entrypoint(place: NamedScope, summary: RulesetSummary): ListedRuleset {
  return { id: phaseResourceId(place, summary.phase), name: nameIn(place, summary), rulesetId: summary.id };
}

function nameIn({ name: where }: NamedScope, { kind, name, phase }: RulesetSummary): string {
  return kind === "custom" ? `${where} ${rulesetName({ kind, name, phase })}` : `${where} ${phase}`;
}

/** The rulesets of a place that programs can manage. */
async function rulesetsIn(session: Session, place: NamedScope): Promise<readonly RulesetSummary[]> {
  const all = await session.client.rulesets.list({ level: place.level, id: place.id });
  const own = all.filter((ruleset) => isDeclarable(ruleset, place));
  return place.level === "accounts" ? own : withoutRulesetsOf(session, place.accountId, own);
}
