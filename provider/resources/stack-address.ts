import * as pulumi from "@pulumi/pulumi";

/**
 * Where the engine answers what the state of this stack holds, for resources that take over from one of another name.
 * Undefined without an engine, as in unit tests of a program.
 */
export function stackAddress(): { readonly monitor: string; readonly name: string } | undefined {
  try {
    const monitor = (pulumi.runtime.getMonitor() as Partial<GrpcClient> | undefined)?.getChannel?.().getTarget();
    const name = `${pulumi.getOrganization()}/${pulumi.getProject()}/${pulumi.getStack()}`;
    return monitor === undefined ? undefined : { monitor, name };
  } catch {
    return undefined;
  }
}

/** What every client of grpc-js has, and the SDK's types leave out. */
interface GrpcClient {
  getChannel(): { getTarget(): string };
}
