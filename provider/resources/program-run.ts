import * as pulumi from "@pulumi/pulumi";
import { programText } from "../engine/program-run.js";
import { saidAboutCredentials } from "./stack-settings.js";

/** The resources of a program that one provider process serves. */
interface Declared {
  count: number;
  /** What the resources send that were declared in the part of the program that is running now. */
  current: Promise<string> | undefined;
}

/** By connection to the engine, and by provider: each runs in its own process. */
const programs = new WeakMap<object, Map<object | undefined, Declared>>();

/**
 * What a resource of the program sends about its run. Resolves when the part of the program that is running now has ended, because
 * the engine does not know how many resources will follow.
 */
export async function programRun(provider: object | undefined): Promise<string> {
  const preview = pulumi.runtime.isDryRun();
  const engine = pulumi.runtime.getMonitor() as object | undefined;
  if (engine === undefined) return programText({ preview });
  const byProvider = programs.get(engine) ?? new Map<object | undefined, Declared>();
  programs.set(engine, byProvider);
  const declared = byProvider.get(provider) ?? { count: 0, current: undefined };
  byProvider.set(provider, declared);
  declared.count += 1;
  declared.current ??= whenDeclared(declared, preview);
  return declared.current;
}

async function whenDeclared(declared: Declared, preview: boolean): Promise<string> {
  await new Promise((resolve) => setImmediate(resolve));
  const said = saidAboutCredentials();
  declared.current = undefined;
  return programText({
    preview,
    resources: declared.count,
    ...(said === undefined ? {} : { said }),
  });
}
