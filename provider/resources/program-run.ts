import * as pulumi from "@pulumi/pulumi";
import { programText } from "../engine/program-run.js";
import { saidAboutCredentials } from "./stack-settings.js";
import { stackAddress } from "./stack-address.js";

/** The resources of a program that one provider process serves. */
interface Declared {
  resources: number;
  /** What the resources send that were declared in the part of the program that is running now. */
  current: Promise<string> | undefined;
}

/** By connection to the engine and by provider, because each provider runs in its own process. */
const declared = new WeakMap<object, Map<object | undefined, Declared>>();

/**
 * What a resource of the program sends about its run. Also counts the resource. Resolves when the part of the program that is
 * running now has ended, because the engine does not know how many resources will follow.
 */
export async function programRun(provider: object | undefined): Promise<string> {
  const preview = pulumi.runtime.isDryRun();
  const engine = pulumi.runtime.getMonitor() as object | undefined;
  if (engine === undefined) return programText({ preview });
  const byProvider = declared.get(engine) ?? new Map<object | undefined, Declared>();
  declared.set(engine, byProvider);
  const counted = byProvider.get(provider) ?? { resources: 0, current: undefined };
  byProvider.set(provider, counted);
  counted.resources += 1;
  counted.current ??= whenDeclared(counted, preview, stackAddress());
  return counted.current;
}

async function whenDeclared(
  counted: Declared,
  preview: boolean,
  address: ReturnType<typeof stackAddress>,
): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  const { resources } = counted;
  const said = saidAboutCredentials();
  counted.current = undefined;
  const stack = await address;
  return programText({
    preview,
    resources,
    ...(stack === undefined ? {} : { stack }),
    ...(said === undefined ? {} : { said }),
  });
}

/** The same with where the program declares the resource. */
export async function withSource(run: Promise<string>, source: string | undefined): Promise<string> {
  return source === undefined ? run : `${await run}\n${source}`;
}
