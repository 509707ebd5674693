import { sameContent } from "../../rules/content.js";
import type { KnownRule, WantedRule } from "../../rules/match.js";
import type { DeployedRule, KeyedRules, Ruleset } from "../../model/ruleset.js";
import type { OnConflict, OnExisting } from "../../model/options.js";
import { decideTakeover, knownRules, type Takeover } from "../../ownership/takeover.js";
import { occupiedText, takeoverText, type Right } from "../../ownership/messages.js";
import type { Session } from "../../engine/session.js";
import { isAskedFor, keyedRules, objectKeys, targetOf, targetWords, type CheckedInputs, type Target } from "./model.js";
import { findPredecessor } from "./predecessor.js";
import { shownTo } from "../../engine/shown.js";

/** What a resource that is about to be created found at the service. */
export interface Found {
  readonly existing: Ruleset;
  readonly takeover: Takeover;
  /** Whether the program asks for it, rather than finding it equal. */
  readonly asked: boolean;
  /** Why it must not be taken over. */
  readonly refusal?: string;
}

/** What a create is about, as far as taking over is concerned. */
export interface Newcomer {
  readonly target: Target;
  readonly name?: string;
  /** Id of the ruleset to take over, when the program names one. */
  readonly rulesetId?: string;
  readonly onExisting?: OnExisting;
  readonly onConflict?: OnConflict;
  readonly wanted: readonly WantedRule[];
  readonly urn?: string;
}

/** Looks for what stands where a resource is to be created, and decides whether it may be taken over. */
export async function lookForExisting(session: Session, newcomer: Newcomer): Promise<Found | undefined> {
  const existing = await findExisting(session, newcomer);
  return existing === undefined ? undefined : decide(session, newcomer, existing);
}

async function findExisting(session: Session, newcomer: Newcomer): Promise<Ruleset | undefined> {
  const { target, rulesetId } = newcomer;
  if (rulesetId !== undefined) return session.reads.byId(target.scope, rulesetId);
  if (!target.entrypoint) return findLookAlike(session, newcomer);
  const list = await session.reads.list(target.scope);
  const found = list.find(({ phase, kind }) => phase === target.phase && kind === target.kind);
  return found === undefined ? undefined : session.reads.byId(target.scope, found.id);
}

/** A custom ruleset of the same name, phase and rules that no other resource holds: the leftover of a lost answer. */
async function findLookAlike(session: Session, newcomer: Newcomer): Promise<Ruleset | undefined> {
  const { target, name, wanted, urn } = newcomer;
  const list = await session.reads.list(target.scope);
  const alike = list.filter((r) => r.kind === target.kind && r.phase === target.phase && r.name === name);
  const own = ownOld(session, newcomer);
  for (const { id } of alike) {
    if (objectKeys(target, id).some((key) => session.owners.otherHolder(key, urn) !== undefined)) continue;
    const ruleset = await session.reads.byId(target.scope, id);
    if (ruleset === undefined) continue;
    const before = own === undefined ? wanted : own.order.map((ref) => own.rules[ref] ?? {});
    if (sameRules(ruleset, wanted) || sameRules(ruleset, before)) return ruleset;
    session.reporter.warn(
      urn,
      `${targetWords(target, name)} exists already (${id}, version ${ruleset.version}) with other rules; a second one of that name is created beside it. ` +
        `To take it over, give rulesetId: ${JSON.stringify(id)}.`,
    );
  }
  return undefined;
}

function sameRules(ruleset: Ruleset, wanted: readonly WantedRule[]): boolean {
  return (
    ruleset.rules.length === wanted.length &&
    ruleset.rules.every((rule, index) => {
      const other = wanted[index];
      return typeof other === "object" && sameContent(rule, other);
    })
  );
}

function decide(session: Session, newcomer: Newcomer, existing: Ruleset): Found {
  const { target, name, wanted, rulesetId } = newcomer;
  const own = ownOld(session, newcomer);
  const overwrites = own !== undefined && session.onConflict(newcomer.onConflict) === "overwrite";
  const wish = newcomer.onExisting ?? (rulesetId === undefined ? "fail" : "adopt");
  const asked = isAskedFor({ onExisting: newcomer.onExisting, __adopt: rulesetId });
  const mode = overwrites ? "empty" : wish;
  const untouched = (rule: DeployedRule): boolean => {
    const before = own?.rules[rule.ref];
    return before !== undefined && sameContent(rule, before);
  };
  const strangers = { ...existing, rules: existing.rules.filter((rule) => !untouched(rule)) };
  const decision = decideTakeover(strangers, wanted, mode);
  // An edited rule of one's own keeps its id, by the same signs by which it gets its ref.
  const takeover = own === undefined ? decision : decideTakeover(existing, wanted, "replace");
  const where = targetWords(target, name);
  return decision.allowed
    ? { existing, takeover, asked }
    : { existing, takeover, asked, refusal: occupiedText(where, existing, decision, mode, shownTo(session)) };
}

/** The rules this very resource had before it was replaced in this run: they are no stranger's. */
function ownOld(session: Session, newcomer: Newcomer): KeyedRules | undefined {
  const olds = newcomer.urn === undefined ? undefined : session.checked.get(newcomer.urn)?.olds;
  if (olds === undefined) return undefined;
  const before = targetOf(olds as CheckedInputs);
  const same = objectKeys(before, undefined).join() === objectKeys(newcomer.target, undefined).join();
  return same && before.scope.id === newcomer.target.scope.id ? keyedRules(olds as CheckedInputs) : undefined;
}

/** The rules a newcomer may be matched with. */
export function knownFrom(found: Found | undefined): KnownRule[] {
  return found === undefined ? [] : knownRules(found.existing);
}

/** Says what a takeover does, unless there was nothing to take over. What seems to be somebody else's is a warning. */
export async function announce(session: Session, found: Found, urn: string | undefined): Promise<void> {
  const { existing, takeover } = found;
  if (existing.rules.length === 0) return;
  const right = await rightOf(session, found);
  const text = takeoverText(existing, takeover, right, shownTo(session));
  if (takeover.dropped.length > 0 || right.kind === "equal") session.reporter.warn(urn, text);
  else session.reporter.info(urn, text);
}

async function rightOf(session: Session, { existing, asked }: Found): Promise<Right> {
  if (asked) return { kind: "asked" };
  const before = await findPredecessor(session, existing.id);
  return before === undefined ? { kind: "equal" } : { kind: "handedOn", urn: before.urn };
}
