import * as pulumi from "@pulumi/pulumi";

/** Where the engine answers what the state of this stack holds, for resources that take over from another one. */
interface StackAddress {
  readonly monitor: string;
  readonly name: string;
}

const known = new WeakMap<object, Promise<StackAddress | undefined>>();

/**
 * Where the state of this stack can be read. Undefined without an engine, as in unit tests of a program.
 *
 * The engine starts its built-in functions with the first call of one, and needs a free worker for that. A provider that
 * called the first one would wait for a worker while it occupies one, or for the check that it is in. So a cheap one is
 * called here, once in a program; where that fails nothing is asked later.
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
  // Backends without organizations say "organization", and some of them take a bare name only.
  const name = organization === "organization" ? stack : `${organization}/${project}/${stack}`;
  try {
    const urn = await promiseOf(pulumi.runtime.getStackResource()?.urn);
    await pulumi.runtime.invoke("pulumi:pulumi:getResource", { urn });
    return { monitor, name };
  } catch {
    return undefined;
  }
}

/** An output would make every resource depend on the stack, which waits for them. */
function promiseOf(output: pulumi.Output<string> | undefined): Promise<string> | undefined {
  // Outputs have it, and the types of the SDK leave it out.
  return (output as unknown as { promise(): Promise<string> } | undefined)?.promise();
}

/** What every client of grpc-js has, and the SDK's types leave out. */
interface GrpcClient {
  getChannel(): { getTarget(): string };
}
