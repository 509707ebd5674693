import { judgeZones, type JudgedZone, type ZoneVerdict } from "../../../../invariants/judge.js";
import type { ListsInput } from "../../../../simulator/lists.js";
import type { Session } from "../../../engine/session.js";
import { sameJson } from "../../../model/json.js";
import { isUnknown } from "../../../model/unknown.js";
import { listNamesIn } from "../../../validation/list-uses.js";
import { withDeclared, type DeclaredRuleset } from "./declared.js";
import type { DeployedZone, ZoneId } from "./deployed.js";
import { listsAfter, listsBefore, type KnownLists } from "./lists.js";
import { invariantsOfRun, type InvariantsOfRun } from "./run.js";

/** What is known about the invariants in a zone. */
export interface ZoneState {
  readonly verdicts: readonly ZoneVerdict[];
  readonly known: KnownLists;
}

/** Judges zones with what resources make of them, one after another. */
export function judgeWith(
  session: Session,
  ids: readonly string[],
  resources: readonly DeclaredRuleset[],
): Promise<readonly ZoneState[]> {
  return judgeAll(
    session,
    ids.map((id) => ({ id, resources })),
  );
}

interface ZoneToJudge {
  readonly id: ZoneId;
  readonly resources: readonly DeclaredRuleset[];
}

/** Judges zones, each with resources of its own. */
export async function judgeAll<G extends ZoneToJudge>(
  session: Session,
  given: readonly G[],
): Promise<readonly (G & ZoneState)[]> {
  const run = session.part(invariantsOfRun);
  const zones = await Promise.all(
    given.map(async (one) => {
      const zone = withResources(await run.zones.read(one.id), one.resources);
      return { one, zone, known: await listsAfter(session, zone.accountId, namesOfLists(run, zone)) };
    }),
  );
  const verdicts = verdictsIn(
    session,
    zones.map(({ zone, known: { lists } }) => ({ zone, lists })),
  );
  return zones.map(({ one, known }, index) => ({ ...one, verdicts: verdicts[index] ?? [], known }));
}

/** The verdicts about a zone before and after a change, in the same order. */
export interface JudgedChange extends ZoneState {
  readonly before: readonly ZoneVerdict[];
  /** The names of the lists with other items, with `$`. */
  readonly lists: readonly string[];
}

/** What resources make of zones without a change and with it. */
interface Resources {
  readonly before: readonly DeclaredRuleset[];
  readonly after: readonly DeclaredRuleset[];
}

/**
 * Judges zones before and after a change of their rules or of lists. Before it, lists have the items with which a zone was judged
 * last, and the first time those that they have before this run.
 */
export async function judgeChanges(
  session: Session,
  ids: readonly string[],
  resources: Resources,
): Promise<readonly JudgedChange[]> {
  const zones = await Promise.all(ids.map((id) => changedZone(session, id, resources)));
  const before = verdictsIn(
    session,
    zones.map((one) => one.before),
  );
  const after = verdictsIn(
    session,
    zones.map((one) => one.after),
  );
  return zones.map(({ known, changed }, index) => ({
    before: before[index] ?? [],
    verdicts: after[index] ?? [],
    known,
    lists: changed,
  }));
}

async function changedZone(session: Session, id: string, resources: Resources) {
  const run = session.part(invariantsOfRun);
  const deployed = await run.zones.read(id);
  const [before, after] = [withResources(deployed, resources.before), withResources(deployed, resources.after)];
  const { accountId } = deployed;
  const names = namesOfLists(run, before, after);
  const last = run.lists.get(id);
  const unseen = names.filter((name) => last?.names.includes(name) !== true);
  const first = await listsBefore(session, accountId, unseen);
  const known = await listsAfter(session, accountId, names);
  run.lists.set(id, { accountId, names, lists: known.lists });
  const listsThen = { ...first, ...last?.lists };
  return {
    before: { zone: before, lists: listsThen },
    after: { zone: after, lists: known.lists },
    known,
    changed: names.filter((name) => !sameJson(listsThen[name], known.lists[name])).map((name) => `$${name}`),
  };
}

function withResources(zone: DeployedZone, resources: readonly DeclaredRuleset[]): DeployedZone {
  const { id } = zone.zone;
  const here = resources.filter(({ desired: { target } }) => {
    const { level, id: owner } = target.scope;
    if (level === "accounts") return owner === zone.accountId;
    return id === undefined ? isUnknown(owner) : owner === id;
  });
  return { ...zone, rulesets: withDeclared(zone.rulesets, here) };
}

function namesOfLists({ invariants }: InvariantsOfRun, ...zones: readonly JudgedZone[]): readonly string[] {
  const rules = new Set(zones.flatMap(({ rulesets }) => rulesets.flatMap((one) => one.rules)));
  return listNamesIn([...rules, ...invariants.map(({ requests }) => ({ expression: requests }))]);
}

/** The verdicts about each of the zones. Those with equal rules are judged once. */
function verdictsIn(
  session: Session,
  given: readonly { readonly zone: JudgedZone; readonly lists: ListsInput }[],
): readonly (readonly ZoneVerdict[])[] {
  const { invariants } = session.part(invariantsOfRun);
  const zones = given.map(({ zone, lists }) => ({
    ...zone,
    rulesets: zone.rulesets.map((one) => ({ ...one, lists })),
  }));
  const { verdicts } = judgeZones({ invariants, zones, now: new Date(session.clock.now()), isWhole: false });
  return zones.map((zone) => verdicts.filter((one) => one.zone === zone));
}
