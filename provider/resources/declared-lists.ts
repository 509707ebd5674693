import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../model/json.js";

/** A list of this program in a ruleset that it shares, whose rules have refs. */
interface DeclaredList {
  readonly resource: pulumi.Resource;
  readonly place: Place;
  readonly refs: ReadonlySet<string>;
  /** The resources that it waits for; undefined if that cannot be told. */
  readonly needs: ReadonlySet<pulumi.Resource> | undefined;
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
  listsOfProgram().push({ resource, place, refs: new Set(refs), needs: neededBy(args, opts ?? {}) });
}

/**
 * The options of a rule whose position names another rule by its ref: with the list of this program that contains it in
 * `dependsOn`, so that the list is written first. A list that is declared after the rule counts if it cannot depend on the rule.
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
  const list =
    found === undefined
      ? declaredLater(() => all.slice(known).find(isNamed), neededBy({ ...args }, opts))
      : [found.resource];
  const { dependsOn = [] } = opts;
  // The SDK takes lists in lists and promises of them, which its types omit.
  return { ...opts, dependsOn: [dependsOn, list] as unknown as pulumi.Resource[] };
}

/** A list that the part of the program that is running now declares after the rule. */
async function declaredLater(
  find: () => DeclaredList | undefined,
  needs: DeclaredList["needs"] = new Set(),
): Promise<pulumi.Resource[]> {
  await new Promise((resolve) => setImmediate(resolve));
  const list = find();
  if (list?.needs === undefined) return [];
  // What the rule itself waits for cannot wait for the rule.
  return [...list.needs].every((resource) => needs.has(resource)) ? [list.resource] : [];
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.zoneId === other.zoneId && one.accountId === other.accountId && one.phase === other.phase;
}

/** The resources that a resource waits for, as far as its arguments and options show it. */
function neededBy(args: object, opts: pulumi.CustomResourceOptions): ReadonlySet<pulumi.Resource> | undefined {
  const found = new Set<pulumi.Resource>();
  const { dependsOn, parent, provider } = opts;
  return collect([args, dependsOn, parent, provider], found) ? found : undefined;
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
