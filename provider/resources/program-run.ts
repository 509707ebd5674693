import * as pulumi from "@pulumi/pulumi";
import { programText } from "../engine/program-run.js";
import { announcedLists } from "./account-lists.js";
import { saidAboutCredentials } from "./stack-settings.js";
import type { StackAddress } from "../engine/predecessors.js";
import { promiseOf } from "./promise-of.js";

/** The resources of a program that one provider process serves. */
interface Declared {
  count: number;
  /** How many resources of the program the process knows. */
  told: number;
  /** What the resources send that were declared in the part of the program that is running now. */
  current: Promise<RunTexts> | undefined;
}

/** The first of the resources also says what other providers have: once, because these can be many resources and many providers. */
interface RunTexts {
  readonly first: string;
  readonly next: string;
}

/** What a program has declared. */
interface Program {
  /** In order: `<type>::<name>` of each, and its provider. */
  readonly resources: { readonly name: string; readonly of: Declared }[];
  /** Each provider runs in its own process. */
  readonly byProvider: Map<object | undefined, Declared>;
  /** Resolves when the engine has registered the default provider. */
  defaultStarted?: Promise<void>;
}

/** By connection to the engine. */
const programs = new WeakMap<object, Program>();

/**
 * What a resource of the program sends about its run. Also notes the resource. Resolves when the part of the program that is
 * running now has ended, because the engine does not know how many resources will follow.
 */
export async function programRun(resource: string, provider: object | undefined): Promise<string> {
  const preview = pulumi.runtime.isDryRun();
  const engine = pulumi.runtime.getMonitor() as object | undefined;
  if (engine === undefined) return programText({ preview });
  const program: Program = programs.get(engine) ?? { resources: [], byProvider: new Map() };
  programs.set(engine, program);
  const declared = program.byProvider.get(provider) ?? { count: 0, told: 0, current: undefined };
  program.byProvider.set(provider, declared);
  declared.count += 1;
  program.resources.push({ name: resource, of: declared });
  const isFirst = declared.current === undefined;
  declared.current ??= whenDeclared(declared, { program, preview, address: stackAddress() });
  const { first, next } = await declared.current;
  return isFirst ? first : next;
}

interface Surroundings {
  readonly program: Program;
  readonly preview: boolean;
  readonly address: ReturnType<typeof stackAddress>;
}

async function whenDeclared(declared: Declared, { program, preview, address }: Surroundings): Promise<RunTexts> {
  await new Promise((resolve) => setImmediate(resolve));
  const resources = declared.count;
  const others = program.resources.slice(declared.told).flatMap(({ name, of }) => (of === declared ? [] : [name]));
  declared.told = program.resources.length;
  const lists = announcedLists();
  const said = saidAboutCredentials();
  declared.current = undefined;
  const stack = await address;
  // Without an address, nothing reads the state.
  if (stack !== undefined) await startDefault(program, declared);
  const run = {
    preview,
    resources,
    ...(stack === undefined ? {} : { stack }),
    ...(said === undefined ? {} : { said }),
    ...(lists === undefined ? {} : { lists }),
  };
  const next = programText(run);
  return { first: others.length === 0 ? next : programText({ ...run, others }), next };
}

/**
 * Has the engine register the default provider before the resources of another one, if the program has resources for both. The engine
 * registers default providers one after another between other steps, and answers a provider that reads the state only when none
 * waits: the check of a resource, which may read the state, would otherwise wait for itself.
 */
function startDefault(program: Program, declared: Declared): Promise<void> | undefined {
  const ofDefault = program.byProvider.get(undefined);
  if (ofDefault === undefined || ofDefault === declared) return undefined;
  // The provider has no functions: only that it is registered matters.
  return (program.defaultStarted ??= pulumi.runtime.invoke("pulumi-nodejs:index:start", {}).then(ignore, ignore));
}

function ignore(): void {
  // Whatever the answer is.
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
function stackAddress(): Promise<StackAddress | undefined> | undefined {
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
