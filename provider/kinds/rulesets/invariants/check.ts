import { dayOf } from "../../../model/day.js";
import { readInvariantFiles } from "../../../../invariants/files.js";
import type { NamedInvariant } from "../../../../invariants/invariant.js";
import { judgeZones, type JudgedZone, type ZoneVerdict } from "../../../../invariants/judge.js";
import { invariantWords, proofLines, verdictWords } from "../../../../invariants/words.js";
import { declaredLists } from "../../../engine/declared-lists.js";
import { reportUnavailableCheck, type Request } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { messageOf } from "../../../model/errors.js";
import { hasUnknown, isUnknown } from "../../../model/unknown.js";
import { ruleEntries } from "../../../rules/keyed.js";
import { failure, joinFindings, NO_FINDINGS, warning, type Findings } from "../../../validation/failure.js";
import { hasSameRules, type Desired } from "../desired.js";
import { withDeclared, type DeclaredRuleset } from "./declared.js";
import { DeployedZones, type DeployedZone } from "./deployed.js";

/** The invariants of a run, and what its resources declare. */
export class InvariantsOfRun {
  readonly zones: DeployedZones;
  /** By URN, in the order of their checks. */
  readonly declared = new Map<string, DeclaredRuleset>();
  /** What was said about zones as they are. */
  readonly said = new Set<string>();
  /** Zones that violated something also without the resource that was checked, or did not prove it. */
  readonly open = new Set<string>();
  #invariants?: readonly NamedInvariant[];

  constructor(private readonly session: Session) {
    this.zones = new DeployedZones(session);
  }

  /** @throws Error with the place of the first mistake in a file */
  get invariants(): readonly NamedInvariant[] {
    return (this.#invariants ??= readInvariantFiles(this.session.invariants).invariants);
  }
}

export const invariantsOfRun = (session: Session): InvariantsOfRun => new InvariantsOfRun(session);

/** A resource that is checked. */
export interface CheckedResource {
  readonly request: Pick<Request, "session" | "urn" | "preview">;
  readonly desired: Desired;
  /** What it wanted the last time; undefined for a new resource. */
  readonly last: Desired | undefined;
  readonly rulesetId?: string;
}

/**
 * Judges whether a resource makes a zone violate invariants, given what is deployed there and what the program has declared so
 * far. What the zone violates anyway is a warning, because another resource may be about to mend it.
 */
export async function checkInvariants({ request, desired, last, rulesetId }: CheckedResource): Promise<Findings> {
  const { session, urn, preview } = request;
  const run = session.part(invariantsOfRun);
  const lastRefs = last?.rules === undefined ? [] : ruleEntries(last.rules).map(({ ref }) => ref);
  run.declared.set(urn, { desired, lastRefs, rulesetId });
  const { scope } = desired.target;
  // The plugin is not told which of the two it is, and asks in both.
  const mayBePreview = preview || session.checked.get(urn)?.provisional === true;
  if (!mayBePreview && last !== undefined && hasSameRules(desired, last)) return NO_FINDINGS;
  if (scope.level !== "zones")
    return notJudged("they are about zones: those for which the program declares rules are judged");
  if (isUnknown(scope.id)) return notJudged("its zone does not exist yet; `pulumi up` judges them");
  if (session.previewChecks === "off")
    return open(session, "invariants cannot be judged, because previewChecks is off");
  let invariants: readonly NamedInvariant[];
  try {
    invariants = run.invariants;
  } catch (error) {
    return failure([], `rulesets:invariants: ${messageOf(error)}`);
  }
  try {
    const zone = await run.zones.read(scope.id);
    const today = dayOf(new Date(session.clock.now()));
    const judge = (isJudged: (urn: string) => boolean): readonly ZoneVerdict[] => {
      const declared = Array.from(run.declared).flatMap(([one, ruleset]) => (isJudged(one) ? [ruleset] : []));
      return judgeZones({ invariants, zones: [withResources(session, zone, declared)], today, isWhole: false })
        .verdicts;
    };
    const before = judge((one) => one !== urn);
    const findings = judge(() => true).map((after, index) =>
      findingOf(after, before[index], { session, run, desired }),
    );
    return joinFindings(findings);
  } catch (error) {
    const found = reportUnavailableCheck(request, error, "invariants");
    return found === undefined ? NO_FINDINGS : { failures: [found], warnings: [] };
  }
}

/** A zone with what resources make of it, one after another, and with the items of the lists that the program declares. */
export function withResources(
  session: Session,
  { accountId, ...zone }: DeployedZone,
  resources: readonly DeclaredRuleset[],
): JudgedZone {
  const accounts = new Set(zone.rulesets.flatMap(({ accountId }) => accountId ?? []));
  const here = resources.filter(({ desired: { target } }) =>
    target.scope.level === "zones" ? target.scope.id === zone.zone.id : accounts.has(target.scope.id),
  );
  const lists = session.part(declaredLists).after(accountId);
  return { ...zone, rulesets: withDeclared(zone.rulesets, here).map((one) => ({ ...one, lists })) };
}

interface Judging {
  readonly session: Session;
  readonly run: InvariantsOfRun;
  readonly desired: Desired;
}

function findingOf(after: ZoneVerdict, before: ZoneVerdict | undefined, { session, run, desired }: Judging): Findings {
  const { invariant, zone, verdict } = after;
  if (verdict === "proved" || verdict === "excepted") return NO_FINDINGS;
  const text = `the invariant "${invariant.name}" is ${verdictWords(verdict)} in ${zone.label}`;
  const lines = [invariantWords(invariant), ...proofLines(after.proof)].map((line) => `\n  ${line}`).join("");
  if (before?.verdict === verdict) {
    run.open.add(zone.zone.id ?? "");
    if (run.said.has(text)) return NO_FINDINGS;
    run.said.add(text);
    return warning([], `${text}, also without this resource:${lines}`);
  }
  if (verdict === "violated") return failure([], `with this change, ${text}:${lines}`);
  // What is not known before `pulumi up` is judged then.
  const isPending = desired.rules === undefined || hasUnknown(ruleEntries(desired.rules));
  return isPending ? warning([], `${text} yet:${lines}`) : open(session, `with this change, ${text}:${lines}`);
}

/** What cannot be judged fails, unless the settings say otherwise. */
function open({ invariantsUnknown }: Session, text: string): Findings {
  return invariantsUnknown === "warn" ? warning([], text) : failure([], text);
}

function notJudged(why: string): Findings {
  return warning([], `invariants are not judged for this resource, because ${why}`);
}
