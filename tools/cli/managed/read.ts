import type { Client, Ruleset } from "../../../client/index.js";
import { shortRulesetId, type Scope } from "../../../core/model/ids.js";
import { readEach, selectsZones, selectZones, type ZonesOptions } from "../zones.js";
import type { Progress } from "../progress.js";
import { FactsReader } from "../read-facts.js";
import { readPath } from "../rules/source/index.js";
import { hidingSecretsOf, type ProgramOptions, type SourceRuleset } from "../../rules-files/loaded.js";
import { hasUnknown, isUnknown } from "../../../core/model/unknown.js";
import { hideSecretsOf } from "../../audit/hide.js";
import { joinUses, usesOfFacts, usesOfProgram, type ManagedUses } from "./sources.js";

export interface ManagedSources extends Omit<ZonesOptions, "parallel">, ProgramOptions {
  /** Folders of programs, or files of rulesets. */
  readonly program?: readonly string[];
}

/** The managed rulesets that programs and zones execute, as the service has them. */
interface ManagedRead extends ManagedUses {
  readonly rulesets: readonly Ruleset[];
  /** What could not be read, one line each. */
  readonly unread: readonly string[];
  /** Replaces the secrets of the sources in a text. */
  readonly hide: (text: string) => string;
}

interface Reading {
  readonly client: Client;
  readonly parallel: number;
  readonly progress: Progress;
}

/**
 * Reads what is executed, and each managed ruleset once: for zones with the requests of `report` without its lists, for a program
 * with one request for each managed ruleset.
 */
export async function readManaged(options: ManagedSources, reading: Reading): Promise<ManagedRead> {
  const { program = [] } = options;
  const isLive = selectsZones(options);
  const loaded = await Promise.all(
    (program.length === 0 && !isLive ? ["."] : program).map((path) => readPath(path, options)),
  );
  const deployed = isLive ? await readDeployed(options, reading) : undefined;
  const declared = usesOfProgram(loaded.flatMap(({ rulesets }) => rulesets));
  const unknown = loaded.flatMap(({ label, rulesets }) =>
    rulesets.flatMap((one) =>
      one.isUnknown === true
        ? [`${label}: the rules of ${one.label} are not known without the engine`]
        : unknownUsesIn(one).map((index) => `${label}: rule ${String(index + 1)} of ${one.label} is not known here`),
    ),
  );
  const known = new Map((deployed?.rulesets ?? []).map((ruleset) => [ruleset.id, ruleset]));
  const failed = new Set(deployed?.failed ?? []);
  const reader = deployed?.reader ?? new FactsReader(reading.client);
  const more = await Promise.all(
    [...declared.scopes]
      .filter(([id]) => !known.has(id) && !failed.has(id))
      .map(([id, scopes]) => readFrom(reader, id, [...scopes, ...(deployed?.scopes ?? [])])),
  );
  for (const one of more) if ("ruleset" in one) known.set(one.ruleset.id, one.ruleset);
  return {
    ...joinUses([declared, ...(deployed === undefined ? [] : [deployed.uses])]),
    rulesets: [...known.values()].filter(({ kind }) => kind === "managed"),
    unread: [
      ...unknown,
      ...(deployed?.unread ?? []),
      ...more.flatMap((one) => ("reason" in one ? [`managed ruleset ${one.id}: ${one.reason}`] : [])),
    ],
    hide: (text) => (deployed?.hide ?? same)(hidingSecretsOf(...loaded)(text)),
  };
}

/** The indexes of rules that may execute a managed ruleset of which not everything is known. */
function unknownUsesIn({ pending = [] }: SourceRuleset): readonly number[] {
  return pending.flatMap(({ action, actionParameters }, index) =>
    isUnknown(action) || (action === "execute" && hasUnknown(actionParameters)) ? [index] : [],
  );
}

const same = (text: string): string => text;

function readFrom(
  reader: FactsReader,
  id: string,
  scopes: readonly Scope[],
): ReturnType<FactsReader["managedRuleset"]> {
  if (scopes.length > 0) return reader.managedRuleset(id, scopes);
  const reason = "the program names no zone or account in which it can be read; specify one with --zone or --account";
  return Promise.resolve({ id, reason });
}

async function readDeployed(options: ManagedSources, { client, parallel, progress }: Reading) {
  const { zones, failures } = await selectZones(options, client);
  const reader = new FactsReader(client);
  const results = await readEach(zones, { parallel, progress, read: (zone) => reader.zone(zone) });
  const facts = await reader.facts(results, { lists: false });
  const scopes = zones.flatMap(({ id, accountId }): readonly Scope[] => [
    ...(accountId === "" ? [] : [{ level: "accounts" as const, id: accountId }]),
    { level: "zones", id },
  ]);
  return {
    reader,
    scopes,
    uses: usesOfFacts(facts),
    rulesets: [...facts.managed.values()],
    failed: facts.unreadManaged.map(({ id }) => shortRulesetId(id)),
    unread: [
      ...[...results, ...failures].flatMap((one) => ("failure" in one ? [`${one.zone.name}: ${one.failure}`] : [])),
      ...facts.zones.flatMap(({ name, unread }) => unread.map((part) => `${name}: ${part.ruleset}: ${part.reason}`)),
      ...facts.accounts.flatMap(({ id, name, closed, unread }) => [
        ...(closed === undefined ? [] : [`account ${name === "" ? id : name}: ${closed}`]),
        ...unread.map((part) => `account ${name === "" ? id : name}: ${part.ruleset}: ${part.reason}`),
      ]),
      ...facts.unreadManaged.map(({ id, reason }) => `managed ruleset ${id}: ${reason}`),
    ],
    hide: hideSecretsOf(facts),
  };
}
