import { judgeZones, type JudgedZone, type ZoneVerdict } from "../../../../invariants/judge.js";
import type { ListsInput } from "../../../../simulator/lists.js";
import type { Session } from "../../../engine/session.js";
import { dayOf } from "../../../model/day.js";
import { sameJson } from "../../../model/json.js";
import { listNamesIn } from "../../../validation/list-uses.js";
import { withDeclared, type DeclaredRuleset } from "./declared.js";
import type { DeployedZone } from "./deployed.js";
import { listsAfter, listsBefore, type KnownLists } from "./lists.js";
import { invariantsOfRun, type InvariantsOfRun } from "./run.js";

/** What is known about the invariants in a zone. */
export interface ZoneState {
  readonly verdicts: readonly ZoneVerdict[];
  readonly known: KnownLists;
}

/** Judges a zone with what resources make of it, one after another. */
export async function judgeZone(
  session: Session,
  zoneId: string,
  resources: readonly DeclaredRuleset[],
): Promise<ZoneState> {
  const run = session.part(invariantsOfRun);
  const zone = withResources(await run.zones.read(zoneId), resources);
  const known = await listsAfter(session, zone.accountId, namesOfLists(run, zone));
  return { verdicts: verdictsIn(session, zone, known.lists), known };
}

/** The verdicts about a zone before and after a change, in the same order. */
export interface Change extends ZoneState {
  readonly before: readonly ZoneVerdict[];
  /** The names of the lists with other items, with `$`. */
  readonly lists: readonly string[];
}

/**
 * Judges a zone before and after a change of its rules or of lists. Before it, lists have the items with which the zone was judged
 * last, and the first time those that they have before this run.
 */
export async function judgeChange(
  session: Session,
  zoneId: string,
  resources: { readonly before: readonly DeclaredRuleset[]; readonly after: readonly DeclaredRuleset[] },
): Promise<Change> {
  const run = session.part(invariantsOfRun);
  const deployed = await run.zones.read(zoneId);
  const [before, after] = [withResources(deployed, resources.before), withResources(deployed, resources.after)];
  const { accountId } = deployed;
  const names = namesOfLists(run, before, after);
  const last = run.lists.get(zoneId);
  const unseen = names.filter((name) => last?.names.includes(name) !== true);
  const first = await listsBefore(session, accountId, unseen);
  const known = await listsAfter(session, accountId, names);
  run.lists.set(zoneId, { accountId, names, lists: known.lists });
  const listsThen = { ...first, ...last?.lists };
  return {
    before: verdictsIn(session, before, listsThen),
    verdicts: verdictsIn(session, after, known.lists),
    known,
    lists: names.filter((name) => !sameJson(listsThen[name], known.lists[name])).map((name) => `$${name}`),
  };
}

function withResources(zone: DeployedZone, resources: readonly DeclaredRuleset[]): DeployedZone {
  const accounts = new Set(zone.rulesets.flatMap(({ accountId }) => accountId ?? []));
  const here = resources.filter(({ desired: { target } }) =>
    target.scope.level === "zones" ? target.scope.id === zone.zone.id : accounts.has(target.scope.id),
  );
  return { ...zone, rulesets: withDeclared(zone.rulesets, here) };
}

function namesOfLists({ invariants }: InvariantsOfRun, ...zones: readonly JudgedZone[]): readonly string[] {
  const rules = new Set(zones.flatMap(({ rulesets }) => rulesets.flatMap((one) => one.rules)));
  return listNamesIn([...rules, ...invariants.map(({ requests }) => ({ expression: requests }))]);
}

function verdictsIn(session: Session, zone: JudgedZone, lists: ListsInput): readonly ZoneVerdict[] {
  const { invariants } = session.part(invariantsOfRun);
  const rulesets = zone.rulesets.map((one) => ({ ...one, lists }));
  const today = dayOf(new Date(session.clock.now()));
  return judgeZones({ invariants, zones: [{ ...zone, rulesets }], today, isWhole: false }).verdicts;
}
