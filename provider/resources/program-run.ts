import * as pulumi from "@pulumi/pulumi";
import { programText } from "../engine/program-run.js";
import { announcedLists } from "./account-lists.js";
import { saidAboutCredentials } from "./stack-settings.js";
import type { StackAddress } from "../engine/predecessors.js";
import { promiseOf } from "./promise-of.js";

/** The resources of a program that one provider process serves. */
interface Declared {
  /** `<type>::<name>` of each. */
  readonly resources: string[];
  /** What the resources send that were declared in the part of the program that is running now. */
  current: Promise<string> | undefined;
}

/** By connection to the engine and by provider, because each provider runs in its own process. */
const declared = new WeakMap<object, Map<object | undefined, Declared>>();

/**
 * What a resource of the program sends about its run. Also notes the resource. Resolves when the part of the program that is
 * running now has ended, because the engine does not know how many resources will follow.
 */
export async function programRun(resource: string, provider: object | undefined): Promise<string> {
  const preview = pulumi.runtime.isDryRun();
  const engine = pulumi.runtime.getMonitor() as object | undefined;
  if (engine === undefined) return programText({ preview });
  const byProvider = declared.get(engine) ?? new Map<object | undefined, Declared>();
  declared.set(engine, byProvider);
  const counted = byProvider.get(provider) ?? { resources: [], current: undefined };
  byProvider.set(provider, counted);
  counted.resources.push(resource);
  counted.current ??= whenDeclared(counted, { byProvider, preview, address: stackAddress() });
  return counted.current;
}

interface Surroundings {
  readonly byProvider: ReadonlyMap<object | undefined, Declared>;
  readonly preview: boolean;
  readonly address: ReturnType<typeof stackAddress>;
}

async function whenDeclared(counted: Declared, { byProvider, preview, address }: Surroundings): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  const resources = counted.resources.length;
  const others = Array.from(byProvider.values()).flatMap((one) => (one === counted ? [] : one.resources));
  const lists = announcedLists();
  const said = saidAboutCredentials();
  counted.current = undefined;
  const stack = await address;
  return programText({
    preview,
    resources,
    ...(others.length === 0 ? {} : { others }),
    ...(stack === undefined ? {} : { stack }),
    ...(said === undefined ? {} : { said }),
    ...(lists === undefined ? {} : { lists }),
  });
}

/** The same with where the program declares the resource. */
export async function withSource(run: Promise<string>, source: string | undefined): Promise<string> {
  return source === undefined ? run : `${await run}\n${source}`;
}

const known = new WeakMap<object, Promise<StackAddress | undefined>>();

/**
 * Address for reading the state of this stack. Undefined without an engine, as in unit tests of a program.
 *
 * The engine starts its built-in functions when one of them is called for the first time, which needs a free worker. If
 * a provider made that call, it could wait for a worker while occupying one. So a cheap function is called here, once per
 * program; if that fails, the state is not read later.
 */
export function stackAddress(): Promise<StackAddress | undefined> | undefined {
  const client = pulumi.runtime.getMonitor() as (object & Partial<GrpcClient>) | undefined;
  const monitor = client?.getChannel?.().getTarget();
  if (client === undefined || monitor === undefined) return undefined;
  const address = known.get(client) ?? startBuiltins(monitor);
  known.set(client, address);
  return address;
}

async function startBuiltins(monitor: string): Promise<StackAddress | undefined> {
  const [organization, project, stack] = [pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack()];
  // Backends without organizations report "organization", and some of them accept only a stack name without one.
  const name = organization === "organization" ? stack : `${organization}/${project}/${stack}`;
  try {
    const stackResource = pulumi.runtime.getStackResource();
    const urn = stackResource === undefined ? undefined : await promiseOf(stackResource.urn);
    await pulumi.runtime.invoke("pulumi:pulumi:getResource", { urn });
    return { monitor, name };
  } catch {
    return undefined;
  }
}

/** Method of every grpc-js client that the SDK's types omit. */
interface GrpcClient {
  getChannel(): { getTarget(): string };
}
