import * as pulumi from "@pulumi/pulumi";
import type { Prepared } from "./prepare.js";

/** Every resource of this package. */
export abstract class OwnResource extends pulumi.CustomResource {
  /**
   * The SDK captures the stack at each of the four promises of an output, for a report on leaks that is off by default. In
   * a program with many resources, that is more than half of the run time. So stack traces are disabled in the meantime; an
   * error that the SDK throws gets the stack trace of the program.
   */
  constructor(type: string, name: string, { props, opts }: Prepared) {
    const limit = Error.stackTraceLimit;
    // Reflect.set does not throw where the property is read-only, as under --frozen-intrinsics.
    if (!reportsLeaks()) Reflect.set(Error, "stackTraceLimit", 0);
    try {
      super(type, name, props, opts);
    } catch (error) {
      Reflect.set(Error, "stackTraceLimit", limit);
      if (error instanceof Error) Error.captureStackTrace(error, new.target);
      throw error;
    } finally {
      Reflect.set(Error, "stackTraceLimit", limit);
    }
  }

  /**
   * Sets an output that is computed from others. It is made when it is first used: most programs never do, and it takes the
   * SDK as long as several other outputs.
   */
  protected derive<N extends keyof this>(name: N, compute: () => this[N]): void {
    let output: this[N] | undefined;
    Object.defineProperty(this, name, { get: () => (output ??= compute()), enumerable: true, configurable: true });
  }
}

/** The SDK's own setting for that report. */
function reportsLeaks(): boolean {
  return (process.env.PULUMI_DEBUG_PROMISE_LEAKS ?? "") !== "";
}
