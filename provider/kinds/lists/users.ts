import type { RulesList } from "../../../client/index.js";
import type { Session } from "../../engine/session.js";
import { RulesetsError } from "../../../core/model/errors.js";
import { isDeclarable, type Scope } from "../../../core/model/ids.js";
import { quotedRuleName, rulesetName } from "../../../core/model/names.js";
import { plural } from "../../../core/model/words.js";
import { listUsesOf } from "../../validation/list-uses.js";

/** A rule at the service that uses a list. */
interface ListUser {
  readonly rulesetId: string;
  readonly ref: string;
  /** `rule "Block admin" of http_request_firewall_custom in the zone a.example.com`. */
  readonly words: string;
}

/** The rules that use a list, and whether all rulesets that refer to it have been found. */
export interface ListUsers {
  readonly rules: readonly ListUser[];
  readonly isComplete: boolean;
}

/** As many zones as are searched for rules: this is for a message, and an account may have thousands. */
const MOST_ZONES = 50;

/**
 * Finds the rules that use a list, first in the account and then in its zones, until as many rulesets are found as the service
 * says. What cannot be read is left out.
 */
export async function findListUsers(session: Session, accountId: string, list: RulesList): Promise<ListUsers> {
  const rules: ListUser[] = [];
  const found = new Set<string>();
  const search = async (scope: Scope, where: string): Promise<void> => {
    for (const user of await usersIn(session, scope, where, list.name)) {
      if (rules.some(({ rulesetId, ref }) => rulesetId === user.rulesetId && ref === user.ref)) continue;
      rules.push(user);
      found.add(user.rulesetId);
    }
  };
  await search({ level: "accounts", id: accountId }, "the account");
  for (const { id, name } of found.size < list.references ? await zonesOf(session, accountId) : []) {
    if (found.size >= list.references) break;
    await search({ level: "zones", id }, `the zone ${name}`);
  }
  return { rules, isComplete: found.size >= list.references };
}

async function zonesOf({ client }: Session, accountId: string): Promise<readonly { id: string; name: string }[]> {
  try {
    return (await client.zones.page(1, { accountId })).items.slice(0, MOST_ZONES);
  } catch (error) {
    if (error instanceof RulesetsError) return [];
    throw error;
  }
}

async function usersIn({ reads }: Session, scope: Scope, where: string, name: string): Promise<readonly ListUser[]> {
  try {
    const own = (await reads.list(scope)).filter((ruleset) => isDeclarable(ruleset, scope));
    const read = await Promise.all(own.map(({ id }) => reads.byId(scope, id)));
    return read.flatMap((ruleset) =>
      (ruleset?.rules ?? []).flatMap((rule): ListUser[] => {
        if (ruleset === undefined || !listUsesOf(rule).some((use) => use.name === name)) return [];
        const words = `rule ${quotedRuleName(rule, rule.id)} of ${rulesetName(ruleset)} in ${where}`;
        return [{ rulesetId: ruleset.id, ref: rule.ref, words }];
      }),
    );
  } catch (error) {
    if (error instanceof RulesetsError) return [];
    throw error;
  }
}

/** That a list cannot be deleted, with the rules that use it. */
export async function inUseError(session: Session, accountId: string, list: RulesList): Promise<RulesetsError> {
  const { name, references } = list;
  const users = await findListUsers(session, accountId, list);
  return new RulesetsError(
    [
      `the list ${name} cannot be deleted: ${plural(references, "ruleset")} ${references === 1 ? "uses" : "use"} it:`,
      ...userLines(users),
      `Nothing was deleted. To continue: remove $${name} from these rules first, or keep the list with onDelete: "keep". A list and ` +
        "the last rule that uses it can be removed in one `pulumi up` if the rule names the list by its output, or by `dependsOn`.",
    ].join("\n"),
    { code: "LIST_IN_USE" },
  );
}

/** One line for each rule. */
export function userLines({ rules, isComplete }: ListUsers): string[] {
  return [
    ...rules.map(({ words }) => `  ${words}`),
    ...(isComplete
      ? []
      : [rules.length === 0 ? "  rules that could not be read here" : "  and others that could not be read here"]),
  ];
}
