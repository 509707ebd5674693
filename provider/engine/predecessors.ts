import type { JsonObject } from "../model/json.js";

/** Where to query the engine for the state of the stack. */
export interface StackAddress {
  /** Address of the resource monitor, for gRPC. */
  readonly monitor: string;
  /** `organization/project/stack`. */
  readonly name: string;
}

/** The type that rulesets of `@pulumi/cloudflare` have here. */
export const CLOUDFLARE_RULESET = "cloudflare/Ruleset";

/** A resource of this package, or a ruleset of `@pulumi/cloudflare`, in the state of a stack. */
export interface StackResource {
  /** Such as `TotalTlsCa`. */
  readonly type: string;
  readonly state: JsonObject;
}

/** Reads every resource of this package, and every ruleset of `@pulumi/cloudflare`, from the state of a stack. */
export type ReadStack = (address: StackAddress) => Promise<readonly StackResource[]>;

/** The resource that managed an object before. `unknown` when the state could not be read. */
export type Predecessor =
  { readonly kind: "none" } | { readonly kind: "known"; readonly state: JsonObject } | { readonly kind: "unknown" };

/**
 * What earlier resources of the stack recorded about an object that another resource takes over. After a rename, a
 * replacement or a taint, the engine creates the new resource without mentioning the old one, and deletes the old one
 * last. The state of the stack is therefore read, once per run. If the old resource is deleted first, it leaves its
 * state here.
 */
export class Predecessors {
  private readonly recorded: StackResource[] = [];
  private address: StackAddress | undefined;
  private stackState: Promise<readonly StackResource[] | undefined> | undefined;

  constructor(private readonly readStack: ReadStack | undefined) {}

  /** Records where the state can be read. */
  setAddress(address: StackAddress): void {
    this.address ??= address;
  }

  /** Keeps the state of a resource that is deleted while its object stays. */
  record(type: string, state: JsonObject): void {
    this.recorded.push({ type, state });
  }

  /** The resource of a type that managed an object before. */
  async find(type: string, isSame: (state: JsonObject) => boolean): Promise<Predecessor> {
    const among = (resources: readonly StackResource[]): JsonObject | undefined =>
      resources.find((resource) => resource.type === type && isSame(resource.state))?.state;
    const left = among(this.recorded);
    if (left !== undefined) return { kind: "known", state: left };
    const resources = await this.all();
    if (resources === undefined) return { kind: "unknown" };
    const state = among(resources);
    return state === undefined ? { kind: "none" } : { kind: "known", state };
  }

  /**
   * Every resource of a type that managed an object before; only those deleted in this run when the state cannot be
   * read.
   */
  async list(type: string, isSame: (state: JsonObject) => boolean): Promise<readonly JsonObject[]> {
    const resources = [...this.recorded, ...((await this.all()) ?? [])];
    return resources.filter((resource) => resource.type === type && isSame(resource.state)).map(({ state }) => state);
  }

  /** The state of the stack when this run first read it; undefined when it cannot be read. */
  all(): Promise<readonly StackResource[] | undefined> {
    const { address, readStack } = this;
    if (address === undefined || readStack === undefined) return Promise.resolve(undefined);
    this.stackState ??= readStack(address).catch(() => undefined);
    return this.stackState;
  }
}
