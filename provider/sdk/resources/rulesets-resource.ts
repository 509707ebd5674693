import * as pulumi from "@pulumi/pulumi";
import type { Prepared } from "./prepare.js";

/** Every resource of this package. */
export abstract class RulesetsResource extends pulumi.CustomResource {
  /**
   * The SDK captures the stack at each of the four promises of an output, for a report on leaks that is off by default. In
   * a program with many resources, that is more than half of the run time. So stack traces are disabled in the meantime; an
   * error that the SDK throws gets the stack trace of the program. The state records where the program declares the resource.
   */
  constructor(type: string, name: string, { props, opts }: Prepared) {
    const limit = Error.stackTraceLimit;
    const prepare = Reflect.get(Error, "prepareStackTrace") as PrepareStackTrace | undefined;
    if (!reportsLeaks()) set("stackTraceLimit", 0);
    // With source maps enabled, only Node's own function applies them.
    if (prepare !== undefined && !process.sourceMapsEnabled) set("prepareStackTrace", withoutOwnFrames(prepare));
    const restore = (): void => {
      set("stackTraceLimit", limit);
      set("prepareStackTrace", prepare);
    };
    try {
      super(type, name, props, opts);
    } catch (error) {
      restore();
      if (error instanceof Error) Error.captureStackTrace(error, new.target);
      throw error;
    } finally {
      restore();
    }
  }
}

/**
 * Sets an output that is computed from others. It is made when it is first used: most programs never do, and it takes the
 * SDK as long as several other outputs.
 */
export function derive<R extends RulesetsResource, N extends keyof R>(resource: R, name: N, compute: () => R[N]): void {
  let output: R[N] | undefined;
  Object.defineProperty(resource, name, { get: () => (output ??= compute()), enumerable: true, configurable: true });
}

/** Whether a value is a resource of a type, whichever copy of this package created it. */
export function isOfType(value: unknown, type: string): boolean {
  return (value as { constructor?: { __pulumiType?: string } } | undefined)?.constructor?.__pulumiType === type;
}

/** Does not throw where the property is read-only, as under --frozen-intrinsics. */
function set(name: "stackTraceLimit" | "prepareStackTrace", value: unknown): void {
  Reflect.set(Error, name, value);
}

type PrepareStackTrace = NonNullable<typeof Error.prepareStackTrace>;

/**
 * The SDK expects that a resource has one constructor of its own: the next frame is the position that the state records, and
 * all further ones are in the state too. So of our own frames, one is left.
 */
function withoutOwnFrames(prepare: PrepareStackTrace): PrepareStackTrace {
  return (error, frames) => {
    const first = frames.findIndex(isOwnFrame);
    const rest = frames.slice(first + 1);
    const next = rest.findIndex((frame) => !isOwnFrame(frame));
    return prepare(error, [...frames.slice(0, first + 1), ...(next < 0 ? rest : rest.slice(next))]) as unknown;
  };
}

/** Whether a frame is of the constructor, or the `get`, of one of these classes. */
function isOwnFrame(frame: NodeJS.CallSite): boolean {
  const isMember = frame.isConstructor() || frame.getFunctionName() === "get";
  return isMember && frame.getFileName()?.startsWith(__dirname) === true;
}

/** The SDK's own setting for that report. */
function reportsLeaks(): boolean {
  return (process.env.PULUMI_DEBUG_PROMISE_LEAKS ?? "") !== "";
}
