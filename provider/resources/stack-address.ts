import * as pulumi from "@pulumi/pulumi";
import type { StackAddress } from "../engine/predecessors.js";
import { promiseOf } from "./promise-of.js";

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
