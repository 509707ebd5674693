import type { RulesetsClient } from "../../client/index.js";
import { messageOf, type RulesetsError } from "../../core/model/errors.js";
import type { Scope } from "../../core/model/ids.js";
import type { OnConflict } from "../../core/model/options.js";
import { isConflict } from "../ownership/conflict.js";
import { conflictError } from "../ownership/ruleset-messages.js";
import {
  overwrittenText,
  type OverwritingOperation,
  type OverwrittenWrite,
} from "../ownership/overwritten-messages.js";
import {
  findUndoneChange,
  findUndoneRuleChange,
  isNextVersion,
  isSameRuleset,
  versionsBetween,
  type OverwrittenChange,
  type RulesetSnapshot,
} from "../ownership/overwritten-change.js";
import { isSameMeaning } from "../../core/rules/rule.js";
import type { Display } from "../ownership/words.js";
import type { Session } from "./session.js";

/**
 * Finds what somebody changed between this run's read and its write, and the write undid. The API has no preconditions,
 * so the window cannot be closed. But every change creates a version, and the one just below the response is what was
 * overwritten. If that version equals the response, it is this run's own write, repeated after a lost response.
 */
export async function findOverwrittenChange(
  rulesets: RulesetsClient,
  scope: Scope,
  before: RulesetSnapshot | undefined,
  response: RulesetSnapshot,
): Promise<OverwrittenChange | undefined> {
  for (const version of versionsBetween(before, response)) {
    try {
      const between = await rulesets.getVersion(scope, response.id, version);
      if (isSameRuleset(between, response)) continue;
      const conflict = findUndoneChange(before, between, response);
      return isConflict(conflict) ? { kind: "undone", version, conflict } : undefined;
    } catch (error) {
      // The write was applied; a failure from here on must not hide that.
      return { kind: "unread", version, reason: messageOf(error) };
    }
  }
  return before === undefined || before.id === response.id ? undefined : { kind: "remade", rulesetId: response.id };
}

/** A write of one rule that was applied. */
interface AppliedRuleWrite {
  /** What was read before the write. */
  readonly before: RulesetSnapshot;
  readonly response: RulesetSnapshot;
  readonly id: string;
}

/**
 * Finds what somebody changed in a rule before a write of it that undid that. Each rule has its own version number, so changes of
 * other rules are recognised without another request.
 */
export async function findOverwrittenRuleChange(
  rulesets: RulesetsClient,
  scope: Scope,
  { before, response, id }: AppliedRuleWrite,
): Promise<OverwrittenChange | undefined> {
  const ruleIn = ({ rules }: RulesetSnapshot) => rules.find((rule) => rule.id === id);
  const [was, is] = [ruleIn(before), ruleIn(response)];
  if (was === undefined || (is !== undefined && isNextVersion(was, is))) return undefined;
  for (const version of versionsBetween(before, response)) {
    try {
      const between = ruleIn(await rulesets.getVersion(scope, response.id, version));
      // This run's own write, repeated after a lost response.
      if (between !== undefined && is !== undefined && isSameMeaning(between, is)) continue;
      const conflict = findUndoneRuleChange(was, between);
      return conflict === undefined ? undefined : { kind: "undone", version, conflict };
    } catch (error) {
      return { kind: "unread", version, reason: messageOf(error) };
    }
  }
  return undefined;
}

/** A write that was applied, and the resource it belongs to. */
interface AppliedWrite {
  readonly words: OverwrittenWrite["words"];
  readonly scope: Scope;
  /** What was read before the write; undefined when nothing existed. */
  readonly before: RulesetSnapshot | undefined;
  readonly response: RulesetSnapshot;
  readonly operation: OverwritingOperation;
  readonly urn: string | undefined;
  readonly onConflict: OnConflict;
  /** How messages show the rules. */
  readonly display: Display;
}

/** Returns the error to fail with when the write undid somebody's change. If overwriting was requested, warns instead. */
export async function checkOverwrittenChange(
  session: Session,
  write: AppliedWrite,
): Promise<RulesetsError | undefined> {
  const { scope, before, response } = write;
  const overwritten = await findOverwrittenChange(session.client.rulesets, scope, before, response);
  if (overwritten === undefined) return undefined;
  const text = overwrittenText({ ...write, rulesetId: response.id, version: response.version }, overwritten);
  if (write.onConflict === "fail") return conflictError(text);
  session.reporter.warn(write.urn, `overwriting, as requested.\n${text}`);
  return undefined;
}
