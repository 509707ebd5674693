import type { OperationsOf } from "../../../provider/engine/description.js";
import { permissionGroups, type Right } from "../../../client/http/permissions.js";

/** A resource of a program, as far as it decides what a token must be permitted to do. */
export interface DeclaredObject {
  /** The name of its class: `PhaseEntrypoint`. */
  readonly type: string;
  readonly name: string;
  /** What runs of its kind ask and send. */
  readonly operations: readonly OperationsOf[];
  readonly zoneId?: string;
  readonly accountId?: string;
  readonly phase?: string;
  /** Whether its rules use lists of the account. */
  readonly usesLists: boolean;
}

/** What a token must be permitted to do in one zone or account. */
export interface Need {
  readonly level: "zone" | "account";
  readonly id: string;
  /** Permission groups of which one is enough, the least first, without the right. */
  readonly groups: readonly string[];
  readonly right: Right;
}

interface NeedsInput {
  readonly objects: readonly DeclaredObject[];
  /** A preview and a drift check read; `up` also writes. */
  readonly run: "preview" | "up";
  /** The accounts of zones, by the zone's ID, as far as they are known. */
  readonly accounts: ReadonlyMap<string, string>;
}

/** What a run of a program needs, each permission once. */
export function needsOf({ objects, run, accounts }: NeedsInput): readonly Need[] {
  const needs = objects.flatMap((object) => needsOfObject(object, { run, accounts }));
  const all = [...new Map(needs.map((need) => [textOf(need), need])).values()];
  // Who may write may also read.
  return all
    .filter(
      ({ right, ...one }) => right === "Write" || !all.some((other) => other.right === "Write" && isSame(one, other)),
    )
    .toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

function isSame(one: Omit<Need, "right">, other: Need): boolean {
  return one.level === other.level && one.id === other.id && one.groups[0] === other.groups[0];
}

function textOf({ level, id, groups, right }: Need): string {
  return [level, id, groups[0], right].join(" ");
}

/** Resources whose zone or account is not known, so that nothing can be said about what they need. */
export function withoutPlace(objects: readonly DeclaredObject[]): readonly DeclaredObject[] {
  return objects.filter(({ zoneId, accountId }) => zoneId === undefined && accountId === undefined);
}

function needsOfObject(object: DeclaredObject, { run, accounts }: Omit<NeedsInput, "objects">): readonly Need[] {
  const { operations, zoneId, accountId, phase, usesLists } = object;
  const need = (level: Need["level"], id: string, path: string, right: Right): Need => ({
    ...{ level, id, right },
    groups: permissionGroups({ path: `/${level}s/${id}${path}`, ...(phase === undefined ? {} : { phase }) }),
  });
  const right: Right = run === "up" ? "Write" : "Read";
  const ofKind = (level: Need["level"], id: string): readonly Need[] =>
    operations.map(({ path, isReadOnly = false }) => need(level, id, path, isReadOnly ? "Read" : right));
  const listAccount = accountId ?? accounts.get(zoneId ?? "");
  const lists = usesLists && listAccount !== undefined ? [need("account", listAccount, "/rules/lists", "Read")] : [];
  if (accountId !== undefined) return [...ofKind("account", accountId), ...lists];
  if (zoneId === undefined) return [];
  // The zone itself tells its plan, which a preview compares with what rules need.
  return [need("zone", zoneId, "", "Read"), ...ofKind("zone", zoneId), ...lists];
}
