import * as pulumi from "@pulumi/pulumi";

/** A resource of the program that others may have to come after. */
export interface Declared {
  /** Missing until it is made. */
  readonly resource?: pulumi.Resource;
  readonly waits: Waits;
}

/** What a resource waits for before it is created. */
interface Waits {
  /** In its arguments and options; undefined if that cannot be told. */
  readonly needs: ReadonlySet<pulumi.Resource> | undefined;
  readonly parent: pulumi.Resource | undefined;
}

/** Returns a list of what the program declares, of its own for each connection to the engine; empty without one. */
export function declaredInProgram<D>(): () => D[] {
  const byEngine = new WeakMap<object, D[]>();
  return () => {
    const engine = pulumi.runtime.getMonitor() as object | undefined;
    if (engine === undefined) return [];
    const known = byEngine.get(engine) ?? [];
    byEngine.set(engine, known);
    return known;
  };
}

/** Resources that are known now, or once the part of the program that is running has ended. */
type Needed = readonly pulumi.Resource[] | Promise<readonly pulumi.Resource[]>;

/** The options of a resource that also waits for others. */
export function waitingFor(
  opts: pulumi.CustomResourceOptions,
  others: readonly Needed[],
): pulumi.CustomResourceOptions {
  const { dependsOn = [] } = opts;
  // The SDK takes lists in lists and promises of them, which its types omit.
  return { ...opts, dependsOn: [dependsOn, ...others] as unknown as pulumi.Resource[] };
}

/**
 * The first resource that fits, declared before this one or later by the part of the program that is running. It counts only if it
 * cannot depend on this one: the program would wait forever.
 */
export function needed<D extends Declared>(own: Waits, all: readonly D[], isNeeded: (one: D) => boolean): Needed {
  const known = all.length;
  const found = all.find(isNeeded);
  // What is declared first can only depend on this resource through a component that contains it.
  const isFree = (one: D): boolean =>
    (one === found && own.parent === undefined) || waitsForNothingElse(one.waits, own);
  const resources = (one: D | undefined): readonly pulumi.Resource[] =>
    one?.resource === undefined || !isFree(one) ? [] : [one.resource];
  if (found !== undefined) return resources(found);
  return new Promise((resolve) => setImmediate(resolve)).then(() => resources(all.slice(known).find(isNeeded)));
}

/** Whether a resource waits for everything that another one waits for, so that nothing of it can wait for the resource. */
function waitsForNothingElse(other: Waits, own: Waits): boolean {
  const { needs } = own;
  if (other.needs === undefined || needs === undefined) return false;
  const isNeeded = (resource: pulumi.Resource): boolean => needs.has(resource);
  // The resources of a component wait for it, but it also counts as finished only when they are.
  const { parent } = other;
  return [...other.needs].every(isNeeded) && (parent === undefined || isNeeded(parent) || isWithin(own, parent));
}

function isWithin({ parent }: Waits, resource: pulumi.Resource): boolean {
  for (let each = parent; each !== undefined; each = parentOf(each)) if (each === resource) return true;
  return false;
}

/** The SDK's types omit it. */
function parentOf(resource: pulumi.Resource): pulumi.Resource | undefined {
  return (resource as { readonly __parentResource?: pulumi.Resource }).__parentResource;
}

/** What a resource waits for, as far as its arguments and options show it. */
export function waitsOf(args: object, { dependsOn, parent, provider }: pulumi.CustomResourceOptions): Waits {
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
