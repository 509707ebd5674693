import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../model/json.js";

/** A list of this program in a ruleset that it shares, whose rules have refs. */
interface DeclaredList {
  readonly resource: pulumi.Resource;
  readonly place: Place;
  readonly refs: ReadonlySet<string>;
  readonly waits: Waits;
}

/** What a resource waits for before it is created. */
interface Waits {
  /** In its arguments and options; undefined if that cannot be told. */
  readonly needs: ReadonlySet<pulumi.Resource> | undefined;
  readonly parent: pulumi.Resource | undefined;
}

/** The arguments that say which ruleset it is. */
interface Place {
  readonly zoneId?: unknown;
  readonly accountId?: unknown;
  readonly phase?: unknown;
}

/** By connection to the engine. */
const lists = new WeakMap<object, DeclaredList[]>();

function listsOfProgram(): DeclaredList[] {
  const engine = pulumi.runtime.getMonitor() as object | undefined;
  if (engine === undefined) return [];
  const known = lists.get(engine) ?? [];
  lists.set(engine, known);
  return known;
}

/** Records a list that shares its ruleset: a rule whose position names one of its rules comes after it. */
export function noteList(resource: pulumi.Resource, args: object, opts: pulumi.CustomResourceOptions | null): void {
  const { zoneId, accountId, phase, ownership, rules } = args as Place & { ownership?: unknown; rules?: unknown };
  if (ownership !== "shared" || !Array.isArray(rules)) return;
  const refs = rules.flatMap((rule) => (isObject(rule) && typeof rule.ref === "string" ? [rule.ref] : []));
  if (refs.length === 0) return;
  const place = { zoneId, accountId, phase };
  listsOfProgram().push({ resource, place, refs: new Set(refs), waits: waitsOf(args, opts ?? {}) });
}

/**
 * The options of a rule whose position names another rule by its ref: with the list of this program that contains it in
 * `dependsOn`, so that the list is written first. A list counts only if it cannot depend on the rule: the program would wait
 * forever.
 */
export function afterLists(
  args: object | undefined,
  given: pulumi.CustomResourceOptions | null,
): pulumi.CustomResourceOptions {
  const opts = given ?? {};
  const { position, zoneId, accountId, phase } = (args ?? {}) as Place & { position?: unknown };
  const { before, after } = isObject(position) ? position : {};
  const name = [before, after].find((each): each is string => typeof each === "string" && each !== "");
  if (name === undefined || opts.id !== undefined || phase === undefined) return opts;
  const all = listsOfProgram();
  const known = all.length;
  const isNamed = ({ refs, place }: DeclaredList): boolean =>
    refs.has(name) && isSamePlace(place, { zoneId, accountId, phase });
  const found = all.find(isNamed);
  const waits = waitsOf({ ...args }, opts);
  // A list that is declared first can only depend on the rule through a component that contains it.
  const isFree = (list: DeclaredList): boolean =>
    (list === found && opts.parent === undefined) || waitsForNothingElse(list.waits, waits);
  const later = () => declaredLater(() => all.slice(known).find(isNamed), isFree);
  const list = found === undefined ? later() : [found].filter(isFree).map(({ resource }) => resource);
  const { dependsOn = [] } = opts;
  // The SDK takes lists in lists and promises of them, which its types omit.
  return { ...opts, dependsOn: [dependsOn, list] as unknown as pulumi.Resource[] };
}

/** A list that the part of the program that is running now declares after the rule. */
async function declaredLater(
  find: () => DeclaredList | undefined,
  isFree: (list: DeclaredList) => boolean,
): Promise<pulumi.Resource[]> {
  await new Promise((resolve) => setImmediate(resolve));
  const list = find();
  return list !== undefined && isFree(list) ? [list.resource] : [];
}

/** Whether a rule waits for everything that a list waits for, so that nothing of it can wait for the rule. */
function waitsForNothingElse(list: Waits, rule: Waits): boolean {
  const { needs } = rule;
  if (list.needs === undefined || needs === undefined) return false;
  const isNeeded = (resource: pulumi.Resource): boolean => needs.has(resource);
  // The resources of a component wait for it, but it also counts as finished only when they are.
  const { parent } = list;
  return [...list.needs].every(isNeeded) && (parent === undefined || isNeeded(parent) || isWithin(rule, parent));
}

function isWithin({ parent }: Waits, resource: pulumi.Resource): boolean {
  for (let each = parent; each !== undefined; each = parentOf(each)) if (each === resource) return true;
  return false;
}

/** The SDK's types omit it. */
function parentOf(resource: pulumi.Resource): pulumi.Resource | undefined {
  return (resource as { readonly __parentResource?: pulumi.Resource }).__parentResource;
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.zoneId === other.zoneId && one.accountId === other.accountId && one.phase === other.phase;
}

/** What a resource waits for, as far as its arguments and options show it. */
function waitsOf(args: object, { dependsOn, parent, provider }: pulumi.CustomResourceOptions): Waits {
  const found = new Set<pulumi.Resource>();
  return { needs: collect([args, dependsOn, provider], found) ? found : undefined, parent };
}

/** Whether it could be told. */
function collect(value: unknown, found: Set<pulumi.Resource>): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (value instanceof Promise) return false;
  if (pulumi.Resource.isInstance(value)) {
    found.add(value);
    return true;
  }
  if (pulumi.Output.isInstance(value)) {
    // The SDK's types omit it.
    const { resources } = value as { resources?: () => ReadonlySet<pulumi.Resource> };
    for (const resource of resources?.() ?? []) found.add(resource);
    return resources !== undefined;
  }
  return Object.values(value).every((each) => collect(each, found));
}
