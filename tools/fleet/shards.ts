import { createHash } from "node:crypto";
import { isZone } from "../../core/invariants/applies.js";
import type { FleetDefinition, Wave } from "./definition.js";
import { formatNumber, joinNames, plural } from "../../core/model/words.js";
import { isObject, parseJson } from "../../core/model/json.js";
import { tokenOf, type FleetZone } from "./zones.js";

/**
 * Which shard a zone belongs to, and which wave a shard: `fleet.lock.json`, a file of the repository. A zone that is in it never
 * moves to another stack, because it would be deleted from one and created in the other.
 */
export interface FleetLock {
  readonly version: 1;
  readonly shards: Readonly<Record<string, LockedShard>>;
}

interface LockedShard {
  readonly wave: string;
  /** ID of the account of its zones. */
  readonly account: string;
  /** The names of its zones by their IDs, and of those that have left the fleet and whose rules its stack still has. */
  readonly zones: Readonly<Record<string, string>>;
}

/** A stack of the fleet. */
export interface Shard {
  /** `s001`. */
  readonly id: string;
  readonly wave: string;
  readonly account: string;
  /** The environment variable with its token; missing for the one that every command takes. */
  readonly token?: string;
  readonly zones: readonly FleetZone[];
  /** Zones that have left the fleet. */
  readonly left: readonly LeftZone[];
}

type LeftZone = Pick<FleetZone, "id" | "name">;

interface Sharding {
  /** In the order in which they are rolled out. */
  readonly shards: readonly Shard[];
  readonly lock: FleetLock;
  /** What somebody should know about it. */
  readonly notes: readonly string[];
}

/** Reads a lock; undefined if the text is none. */
export function parseLock(text: string): FleetLock | undefined {
  const value: unknown = parseJson(text);
  if (!isObject(value) || value.version !== 1 || !isObject(value.shards)) return undefined;
  const shards = Object.entries(value.shards).map(([id, shard]) => [id, lockedShard(shard)] as const);
  return shards.every((entry): entry is readonly [string, LockedShard] => entry[1] !== undefined)
    ? { version: 1, shards: Object.fromEntries(shards) }
    : undefined;
}

function lockedShard(value: unknown): LockedShard | undefined {
  if (!isObject(value) || typeof value.wave !== "string" || typeof value.account !== "string") return undefined;
  const { wave, account, zones } = value;
  return isObject(zones) && isTexts(Object.values(zones))
    ? { wave, account, zones: zones as LockedShard["zones"] }
    : undefined;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

export const NO_LOCK: FleetLock = { version: 1, shards: {} };

/**
 * Divides zones into shards. Throws if a zone of the lock has got an account with another token than its shard has.
 * Zones that the lock has stay where they are; new ones get into the wave that the definition gives
 * them, into its shards with room. The zones of a shard have the same account and the same token.
 */
export function shardZones(definition: FleetDefinition, zones: readonly FleetZone[], lock: FleetLock): Sharding {
  const byId = new Map(zones.map((zone) => [zone.id, zone]));
  const known = Object.entries(lock.shards).map(([id, { wave, account, zones: names }]): DraftShard => ({
    id,
    wave: definition.waves.some(({ name }) => name === wave) ? wave : (definition.waves.at(-1)?.name ?? ""),
    account,
    members: Object.keys(names).flatMap((one) => byId.get(one) ?? []),
    left: Object.entries(names).flatMap(([one, name]) => (byId.has(one) ? [] : [{ id: one, name }])),
  }));
  requireTokens(definition, known);
  const placed = new Set(Object.values(lock.shards).flatMap(({ zones: names }) => Object.keys(names)));
  const drafts = [...known];
  const hasRoom = ({ members, left }: DraftShard): boolean => members.length + left.length < definition.shardSize;
  // Of each wave and account, a shard with room.
  const open = new Map(known.filter(hasRoom).map((shard) => [`${shard.wave} ${shard.account}`, shard]));
  let last = Math.max(0, ...known.map(({ id }) => Number(/\d+$/.exec(id)?.[0] ?? 0)));
  for (const [wave, members] of wavesOf(definition.waves, zones, known, placed))
    for (const zone of members) {
      const account = zone.accountId;
      const room = open.get(`${wave} ${account}`);
      if (room !== undefined && hasRoom(room)) room.members.push(zone);
      else {
        const id = `s${String((last += 1)).padStart(3, "0")}`;
        const shard = { id, wave, account, members: [zone], left: [] };
        drafts.push(shard);
        open.set(`${wave} ${account}`, shard);
      }
    }
  const order = new Map(definition.waves.map(({ name }, index) => [name, index]));
  const shards = drafts
    .map((shard) => toShard(definition, shard))
    .sort((a, b) => (order.get(a.wave) ?? 0) - (order.get(b.wave) ?? 0) || compare(a.id, b.id));
  return {
    shards,
    lock: lockOf(shards),
    notes: [
      ...known.flatMap(({ id, left }) =>
        left.map(({ name }) => `${name} has left the fleet: ${id} deletes what it still manages there`),
      ),
      ...notesOnNames(definition, shards, placed),
      ...notesOnWaves(definition, shards, lock.shards),
    ],
  };
}

interface DraftShard extends Omit<LockedShard, "zones"> {
  readonly id: string;
  readonly members: FleetZone[];
  readonly left: readonly LeftZone[];
}

function toShard({ tokens }: FleetDefinition, { id, wave, account, members, left }: DraftShard): Shard {
  const token = tokenOf(account, tokens)?.variable;
  return { id, wave, account, ...(token === undefined ? {} : { token }), zones: members, left };
}

function requireTokens({ tokens }: FleetDefinition, known: readonly DraftShard[]): void {
  for (const { id, account, members } of known)
    for (const { name, accountId } of members)
      if (tokenOf(accountId, tokens) !== tokenOf(account, tokens))
        throw new Error(
          `${name} of ${id} has moved to the account ${accountId}, which has another token than ${account}, the account of the ` +
            `shard. To continue: take the zone out of ${id} in fleet.lock.json, and its resources out of the state of the shard's ` +
            "stack with `pulumi state delete`; then the next plan gives it a shard of its account, whose program can adopt its rules",
        );
}

/**
 * The new zones of each wave: those that it names; then, in an order that is drawn by their IDs, as many as are missing to its
 * share of all zones; the last wave gets the others.
 */
function wavesOf(
  waves: readonly Wave[],
  zones: readonly FleetZone[],
  known: readonly DraftShard[],
  placed: ReadonlySet<string>,
): readonly (readonly [string, readonly FleetZone[]])[] {
  let left = zones.filter(({ id }) => !placed.has(id));
  const take = (chosen: ReadonlySet<FleetZone>): readonly FleetZone[] => {
    left = left.filter((zone) => !chosen.has(zone));
    return [...chosen].sort((a, b) => compare(a.accountId, b.accountId) || compare(a.name, b.name));
  };
  const named = new Map(
    waves.map(({ name, share }) => [
      name,
      share.kind === "zones"
        ? take(new Set(left.filter((zone) => share.patterns.some((pattern) => isZone(pattern, zone)))))
        : [],
    ]),
  );
  return waves.map(({ name, share }) => {
    if (share.kind === "zones") return [name, named.get(name) ?? []] as const;
    if (share.kind === "rest") return [name, take(new Set(left))] as const;
    const there = known.filter(({ wave }) => wave === name).reduce((count, { members }) => count + members.length, 0);
    const wanted = Math.max(0, countOf(share.percent, zones.length) - there);
    const drawn = left.map((zone) => [drawOf(zone), zone] as const).sort(([a], [b]) => compare(a, b));
    return [name, take(new Set(drawn.slice(0, wanted).map(([, zone]) => zone)))] as const;
  });
}

/** How many of so many zones a share is. */
function countOf(percent: number, zones: number): number {
  return Math.ceil((zones * percent) / 100);
}

/** The same for a zone in every run, and without a pattern among zones. */
function drawOf({ id }: FleetZone): string {
  return createHash("sha256").update(id).digest("hex");
}

/** The lock of the next run. A shard without zones stays in it: its stack may still manage something. */
function lockOf(shards: readonly Shard[]): FleetLock {
  const entries = shards.map(({ id, wave, account, zones, left }) => {
    const named = [...zones, ...left].map((zone) => [zone.id, zone.name] as const);
    return [id, { wave, account, zones: Object.fromEntries(named.sort(([a], [b]) => compare(a, b))) }] as const;
  });
  return { version: 1, shards: Object.fromEntries(entries.sort(([a], [b]) => compare(a, b))) };
}

/** Zones that a wave names and that are in another one: they were there before, or an earlier wave names them as well. */
function notesOnNames(
  { waves }: FleetDefinition,
  shards: readonly Shard[],
  placed: ReadonlySet<string>,
): readonly string[] {
  return waves.flatMap(({ name, share }) =>
    shards.flatMap(({ id, wave, zones }) => {
      const named = zones.filter(
        (zone) => wave !== name && share.kind === "zones" && share.patterns.some((pattern) => isZone(pattern, zone)),
      );
      const [before, now] = [true, false].map((is) => named.filter((zone) => placed.has(zone.id) === is));
      const say = (some: readonly FleetZone[] = [], words: string): string[] =>
        some.length === 0
          ? []
          : [`${joinNames(some.map((zone) => zone.name))} ${some.length === 1 ? "is" : "are"} named by the ${words}`];
      const stay = before?.length === 1 ? "stays" : "stay";
      return [
        ...say(before, `wave ${name} and ${stay} in ${id} of the wave ${wave}: a zone never moves to another stack`),
        ...say(now, `waves ${wave} and ${name}: ${wave} comes first and has ${now?.length === 1 ? "it" : "them"}`),
      ];
    }),
  );
}

/** Waves that are not what the file seems to say. */
function notesOnWaves({ waves }: FleetDefinition, shards: readonly Shard[], before: FleetLock["shards"]): string[] {
  const moved = shards.flatMap(({ id, wave, zones }) => {
    const own = before[id]?.wave ?? wave;
    return own === wave || zones.length === 0
      ? []
      : [
          `${id} was of the wave ${own}, which fleet.yaml does not have any more, and now is of the wave ${wave}. ` +
            `If ${own} only has another name, write that name in fleet.lock.json as well`,
        ];
  });
  const empty = waves.filter(({ name, gates }) => gates.length > 0 && shards.every(({ wave }) => wave !== name));
  const all = shards.reduce((count, { zones }) => count + zones.length, 0);
  const other = waves.flatMap(({ name, share }) => {
    if (share.kind !== "percent") return [];
    const wanted = countOf(share.percent, all);
    const there = shards.reduce((count, { wave, zones }) => count + (wave === name ? zones.length : 0), 0);
    if (there === wanted) return [];
    return [
      `the wave ${name} has ${formatNumber(there)} of ${plural(all, "zone")}, where ${formatNumber(share.percent)} % would be ` +
        `${formatNumber(wanted)}: ${there < wanted ? "all others have a place in other waves, and " : ""}a zone never moves to another stack`,
    ];
  });
  return [
    ...moved,
    ...other,
    ...empty.map(({ name }) => `the wave ${name} has no zones, so its gates are not checked`),
  ];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
