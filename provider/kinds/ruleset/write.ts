import { sameContent, sameForm } from "../../rules/content.js";
import type { ApiError, RulesetsError } from "../../model/errors.js";
import { mapFrom, sameJson } from "../../model/json.js";
import { rulesetResourceId, scopeText } from "../../model/ids.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import type { Ruleset } from "../../model/ruleset.js";
import { conflictError, type Doing } from "../../ownership/messages.js";
import type { Standing } from "../../ownership/overwritten.js";
import type { Session } from "../../engine/session.js";
import { ruleEntries } from "../../model/ruleset.js";
import { judgeWrite } from "../../engine/overwritten.js";
import { settle } from "../../engine/recover.js";
import { shownTo } from "../../engine/shown.js";
import { keyedRules, targetOf, targetWords, type CheckedInputs, type RulesetState, type Target } from "./model.js";

/** What goes to the service: every rule under the ref the service knows it by. */
export interface Content {
  readonly name?: string;
  readonly description: string;
  readonly rules: readonly RulesetRule[];
}

export function contentFrom(
  inputs: CheckedInputs,
  description: string,
  refs: ReadonlyMap<string, string> = new Map(),
): Content {
  const rules = ruleEntries(keyedRules(inputs)).map(({ ref, rule }) => {
    const { id: _id, ...rest } = rule;
    return { ...rest, ref: refs.get(ref) ?? ref };
  });
  return {
    ...(inputs.name === undefined ? {} : { name: inputs.name }),
    description,
    rules,
  };
}

/** Whether the service already holds what would be sent, in these words: same rules, refs and order. */
export function holds(actual: Ruleset, content: Content, target: Target): boolean {
  return agrees(actual, content, target, sameForm);
}

/** Whether the service holds what means the same, in these words or others. */
export function holdsMeaning(actual: Ruleset, content: Content, target: Target): boolean {
  return agrees(actual, content, target, sameContent);
}

function agrees(actual: Ruleset, content: Content, target: Target, same: typeof sameForm): boolean {
  return (
    actual.description === content.description &&
    (!target.entrypoint || content.name === undefined || actual.name === content.name) &&
    sameJson(
      actual.rules.map(({ ref }) => ref),
      content.rules.map(({ ref }) => ref),
    ) &&
    actual.rules.every((rule, index) => same(rule, content.rules[index] ?? {}))
  );
}

/** What a write answered, and the error to end with when it undid somebody's change that this run had not read. */
export interface Written {
  readonly ruleset: Ruleset;
  readonly overwrote?: RulesetsError;
}

/**
 * Replaces a ruleset as a whole; `known` is the state so far, where there is one. After an answer that leaves open whether it landed, the ruleset is read: it holds
 * what was sent, done; it holds the old version, sent once more; anything else is somebody else's change.
 */
export async function replaceRuleset(
  session: Session,
  inputs: CheckedInputs,
  actual: Ruleset,
  content: Content,
  { doing = "change", known }: { readonly doing?: Doing; readonly known?: RulesetState } = {},
): Promise<Written> {
  const target = targetOf(inputs);
  const { scope, phase } = target;
  const { rulesets } = session.client;
  const { name, ...body } = content;
  const renames = target.entrypoint && name !== undefined && name !== actual.name;
  const send = (): Promise<Ruleset> =>
    renames ? rulesets.replaceEntrypoint(scope, phase, content) : rulesets.replace(scope, actual.id, body, phase);
  const answer = await session.queue.run(rulesetResourceId(scope, actual.id), () =>
    settle(send, {
      look: () => rulesets.find(scope, actual.id),
      landed: (now) => holds(now, content, target),
      refuse: (now, cause) =>
        now.version === actual.version ? undefined : conflictAfterLoss(targetWords(target, inputs.name), now, cause),
    }),
  );
  session.reads.learn(scope, answer);
  return withJudgement(session, inputs, { before: actual, answer, doing, known });
}

/** Looks whether a write that has landed undid what somebody changed since the ruleset was read. */
export async function withJudgement(
  session: Session,
  inputs: CheckedInputs,
  {
    known,
    ...write
  }: { readonly before: Standing; readonly answer: Ruleset; readonly doing: Doing; readonly known?: RulesetState },
): Promise<Written> {
  const target = targetOf(inputs);
  const ruleIds = mapFrom(write.before.rules.map(({ ref, id }) => [ref, id] as const));
  const overwrote = await judgeWrite(session, {
    ...write,
    shown: shownTo(session, known ?? { ...inputs, ruleIds }),
    where: targetWords(target, inputs.name),
    scope: target.scope,
    urn: inputs.__urn,
    onConflict: session.onConflict(inputs.onConflict),
  });
  return { ruleset: write.answer, ...(overwrote === undefined ? {} : { overwrote }) };
}

/** The write was lost on somebody else's change: sending it again would undo that. */
function conflictAfterLoss(where: string, now: Ruleset, cause: ApiError): Error {
  return conflictError(
    `${where}: the answer to the write was lost, and the ruleset now holds neither what was there nor what was sent ` +
      `(version ${now.version}). Run \`pulumi refresh\`, look at what it shows, then \`pulumi up\`. ${cause.message}`,
  );
}

/** Creates a ruleset; after a lost answer it looks for its own leftover first. */
export async function createRuleset(session: Session, inputs: CheckedInputs, content: Content): Promise<Ruleset> {
  const target = targetOf(inputs);
  const { scope, phase, kind } = target;
  const { rulesets } = session.client;
  const name = content.name ?? "default";
  const find = async (): Promise<Ruleset | undefined> => {
    if (target.entrypoint) return rulesets.findEntrypoint(scope, phase);
    const list = await rulesets.list(scope);
    const alike = list.filter((r) => r.kind === kind && r.phase === phase && r.name === name);
    const whole = await Promise.all(alike.map(({ id }) => rulesets.get(scope, id)));
    return whole.find((ruleset) => holds(ruleset, content, target));
  };
  const answer = await session.queue.run(`${scopeText(scope)}/${phase}/${name}`, () =>
    settle(() => rulesets.create(scope, { ...content, name, kind, phase }), {
      look: find,
      landed: (now) => holds(now, content, target),
      refuse: (now, cause) => conflictAfterLoss(targetWords(target, name), now, cause),
    }),
  );
  session.reads.learn(scope, answer);
  return answer;
}
