import type { RulesetsClient } from "../client/index.js";
import type { RulesetsError } from "../model/errors.js";
import type { Scope } from "../model/ids.js";
import type { OnConflict } from "../model/options.js";
import { isConflict } from "../ownership/conflict.js";
import { conflictError } from "../ownership/messages.js";
import { overwrittenText, type Overwriting } from "../ownership/overwritten-words.js";
import {
  findUndone,
  findUndoneRule,
  isNextVersion,
  isSameRuleset,
  versionsBetween,
  type Overwritten,
  type RulesetSnapshot,
} from "../ownership/overwritten.js";
import { sameContent } from "../rules/rule.js";
import type { Shown } from "../ownership/shown.js";
import type { Session } from "./session.js";

/**
 * Finds what somebody changed between this run's read and its write, and the write undid. The API has no preconditions,
 * so the window cannot be closed. But every change creates a version, and the one just below the response is what was
 * overwritten. If that version equals the response, it is this run's own write, repeated after a lost response.
 */
export async function findOverwritten(
  rulesets: RulesetsClient,
  scope: Scope,
  before: RulesetSnapshot | undefined,
  answer: RulesetSnapshot,
): Promise<Overwritten | undefined> {
  for (const version of versionsBetween(before, answer)) {
    try {
      const between = await rulesets.getVersion(scope, answer.id, version);
      if (isSameRuleset(between, answer)) continue;
      const conflict = findUndone(before, between, answer);
      return isConflict(conflict) ? { kind: "undone", version, conflict } : undefined;
    } catch (error) {
      // The write was applied; a failure from here on must not hide that.
      return { kind: "unread", version, reason: error instanceof Error ? error.message : String(error) };
    }
  }
  return before === undefined || before.id === answer.id ? undefined : { kind: "remade", rulesetId: answer.id };
}

/** A write of one rule that was applied. */
export interface LandedRuleWrite {
  /** What was read before the write. */
  readonly before: RulesetSnapshot;
  readonly answer: RulesetSnapshot;
  readonly id: string;
}

/**
 * The same for a write of one rule, which can undo only changes of that rule. Each rule has its own version number, so
 * changes of other rules are recognised without another request.
 */
export async function findOverwrittenRule(
  rulesets: RulesetsClient,
  scope: Scope,
  { before, answer, id }: LandedRuleWrite,
): Promise<Overwritten | undefined> {
  const ruleIn = ({ rules }: RulesetSnapshot) => rules.find((rule) => rule.id === id);
  const [was, is] = [ruleIn(before), ruleIn(answer)];
  if (was === undefined || (is !== undefined && isNextVersion(was, is))) return undefined;
  for (const version of versionsBetween(before, answer)) {
    try {
      const between = ruleIn(await rulesets.getVersion(scope, answer.id, version));
      // This run's own write, repeated after a lost response.
      if (between !== undefined && is !== undefined && sameContent(between, is)) continue;
      const conflict = findUndoneRule(was, between);
      return conflict === undefined ? undefined : { kind: "undone", version, conflict };
    } catch (error) {
      return { kind: "unread", version, reason: error instanceof Error ? error.message : String(error) };
    }
  }
  return undefined;
}

/** A write that was applied, and the resource it belongs to. */
export interface LandedWrite {
  readonly where: string;
  readonly scope: Scope;
  /** What was read before the write; undefined when nothing existed. */
  readonly before: RulesetSnapshot | undefined;
  readonly answer: RulesetSnapshot;
  readonly doing: Overwriting;
  readonly urn: string | undefined;
  readonly onConflict: OnConflict;
  /** How messages show the rules. */
  readonly shown: Shown;
}

/** Returns the error to fail with when the write undid somebody's change. If overwriting was requested, warns instead. */
export async function judgeWrite(session: Session, write: LandedWrite): Promise<RulesetsError | undefined> {
  const { scope, before, answer } = write;
  const overwritten = await findOverwritten(session.client.rulesets, scope, before, answer);
  if (overwritten === undefined) return undefined;
  const words = { ...write, rulesetId: answer.id, version: answer.version };
  const text = overwrittenText(words, overwritten);
  if (write.onConflict === "fail") return conflictError(text);
  session.reporter.warn(write.urn, `overwriting, as requested.\n${text}`);
  return undefined;
}
