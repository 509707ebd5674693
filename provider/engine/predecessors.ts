import { textOf, type JsonObject } from "../model/json.js";

/** Where to query the engine for the state of the stack. */
export interface StackAddress {
  /** Address of the resource monitor, for gRPC. */
  readonly monitor: string;
  /** `organization/project/stack`. */
  readonly name: string;
}

/** The type that rulesets of `@pulumi/cloudflare` have here. */
export const CLOUDFLARE_RULESET = "cloudflare/Ruleset";
/** The same as the engine has it. */
export const CLOUDFLARE_TYPE = "cloudflare:index/ruleset:Ruleset";
/** The type that zones of any package have here. Of their states, only the URN is known. */
export const ZONE = "any/Zone";

/** Whether a resource is a zone: what others get from it as the ID of a zone is then its own. */
export function isZone(urn: string): boolean {
  const [, , types = ""] = urn.split("::");
  return isZoneType(types);
}

/** The same for its type, with or without those of its parents. */
export function isZoneType(type: string): boolean {
  return /[:/]\w*Zone$/.test(type);
}

/** A resource of this package, a ruleset of `@pulumi/cloudflare`, or a zone, in the state of a stack. */
export interface StackResource {
  /** Such as `TotalTlsCa`. */
  readonly type: string;
  readonly state: JsonObject;
  /** Whether another provider manages it, where the state of the stack says it. */
  readonly isOthers?: boolean;
}

/**
 * Reads every resource of this package, every ruleset of `@pulumi/cloudflare`, and every zone from the state of a stack. With a type, it may
 * return none if there is no resource of that type.
 */
export type ReadStack = (address: StackAddress, type?: string) => Promise<readonly StackResource[]>;

/** The resource that managed an object before. `unknown` when the state could not be read. */
type Predecessor =
  { readonly kind: "none" } | { readonly kind: "known"; readonly state: JsonObject } | { readonly kind: "unknown" };

/** The keys that a state is found by, such as its ruleset. Each function is an index, made once a run. */
export type KeysOf = (state: JsonObject) => readonly unknown[];

/** A key to find states by. */
interface Lookup {
  readonly by: KeysOf;
  readonly key: string;
}

/** Finds states by the URN of their resource. */
export const byUrn: KeysOf = ({ __urn: urn }) => [urn];

/** Resources by the keys of their states, so that a search does not go through the whole stack. */
class ResourceIndex {
  private readonly byKeys = new Map<KeysOf, Map<unknown, StackResource[]>>();

  constructor(private readonly resources: StackResource[]) {}

  add(resource: StackResource): void {
    this.resources.push(resource);
    for (const [keysOf, found] of this.byKeys) addTo(found, keysOf, resource);
  }

  find({ by, key }: Lookup): readonly StackResource[] {
    const known = this.byKeys.get(by);
    if (known !== undefined) return known.get(key) ?? [];
    const found = new Map<unknown, StackResource[]>();
    for (const resource of this.resources) addTo(found, by, resource);
    this.byKeys.set(by, found);
    return found.get(key) ?? [];
  }
}

function addTo(found: Map<unknown, StackResource[]>, keysOf: KeysOf, resource: StackResource): void {
  for (const key of new Set(keysOf(resource.state))) {
    const known = found.get(key);
    if (known === undefined) found.set(key, [resource]);
    else known.push(resource);
  }
}

/**
 * What earlier resources of the stack recorded about an object that another resource takes over. After a rename, a
 * replacement or a taint, the engine creates the new resource without mentioning the old one, and deletes the old one
 * last. The state of the stack is therefore read, once per run. If the old resource is deleted first, it leaves its
 * state here.
 */
export class Predecessors {
  private readonly recorded = new ResourceIndex([]);
  private address: StackAddress | undefined;
  private stackState: Promise<readonly StackResource[] | undefined> | undefined;
  /** URNs of resources that are no longer in the stack, although its last state has them. */
  private readonly gone = new Set<unknown>();
  private index: Promise<ResourceIndex | undefined> | undefined;
  private readonly others = new Set<string>();

  constructor(private readonly readStack: ReadStack | undefined) {}

  /** Records what the program declares for other providers: `<type>::<name>`. */
  addOthers(names: readonly string[]): void {
    for (const name of names) this.others.add(name);
  }

  /** Whether another provider manages a resource of the stack: its process sees whether the program still has it. */
  isOthers({ type, state, isOthers = false }: StackResource): boolean {
    const urn = textOf(state.__urn);
    return isOthers || this.others.has(urn.slice(urn.lastIndexOf(`:${type}::`) + 1));
  }

  /** Records where the state can be read. */
  setAddress(address: StackAddress): void {
    this.address ??= address;
  }

  /** Keeps the state of a resource that is deleted while its object stays. */
  record(type: string, state: JsonObject): void {
    this.recorded.add({ type, state });
  }

  /** Forgets a resource that a refresh in this run has found to be gone: its user knows, and may create it again. */
  forget(urn: string): void {
    this.gone.add(urn);
  }

  /** The resource of a type that managed an object before. */
  async find(type: string, lookup: Lookup, isSame: (state: JsonObject) => boolean = () => true): Promise<Predecessor> {
    const among = (resources: readonly StackResource[]): JsonObject | undefined =>
      resources.find((resource) => resource.type === type && isSame(resource.state))?.state;
    const left = among(this.recorded.find(lookup));
    if (left !== undefined) return { kind: "known", state: left };
    const resources = await this.inStack(lookup);
    if (resources === undefined) return { kind: "unknown" };
    const state = among(resources);
    return state === undefined ? { kind: "none" } : { kind: "known", state };
  }

  /**
   * Every resource of some types that managed an object before; only those deleted in this run when the state cannot be
   * read.
   */
  async list(types: readonly string[], lookup: Lookup): Promise<readonly JsonObject[]> {
    const resources = [...this.recorded.find(lookup), ...((await this.inStack(lookup)) ?? [])];
    return types.flatMap((type) => resources.flatMap((each) => (each.type === type ? [each.state] : [])));
  }

  /** The resources in the state of the stack when this run first read it; undefined when it cannot be read. */
  async inStack(lookup: Lookup): Promise<readonly StackResource[] | undefined> {
    this.index ??= this.all().then((resources) =>
      resources === undefined ? undefined : new ResourceIndex([...resources]),
    );
    return (await this.index)?.find(lookup);
  }

  /** Whether the stack has a resource of a type; undefined when its state cannot be read. Cheap where it has none. */
  async hasAny(type: string): Promise<boolean | undefined> {
    const { address, readStack } = this;
    if (address === undefined || readStack === undefined) return undefined;
    const found = this.stackState ?? this.kept(readStack(address, type));
    const resources = await found;
    const has = resources?.some((resource) => resource.type === type);
    if (has === true) this.stackState ??= found;
    return has;
  }

  private kept(read: Promise<readonly StackResource[]>): Promise<readonly StackResource[] | undefined> {
    return read.then(
      (resources) => resources.filter(({ state }) => !this.gone.has(state.__urn)),
      () => undefined,
    );
  }

  /** The state of the stack when this run first read it; undefined when it cannot be read. */
  all(): Promise<readonly StackResource[] | undefined> {
    const { address, readStack } = this;
    if (address === undefined || readStack === undefined) return Promise.resolve(undefined);
    this.stackState ??= this.kept(readStack(address));
    return this.stackState;
  }
}
