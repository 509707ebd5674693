import * as pulumi from "@pulumi/pulumi";
import type { Prepared } from "./prepare.js";

/** Every resource of this package. */
export abstract class OwnResource extends pulumi.CustomResource {
  /**
   * The SDK writes down the stack at each of the four promises that an output is made of, for a report on leaks that nobody
   * asks for: more than half of what a program of many resources costs. So stacks are short while it does so. What it throws
   * meanwhile is given the stack of the program.
   */
  constructor(type: string, name: string, { props, opts }: Prepared) {
    const limit = Error.stackTraceLimit;
    // Where nobody may set it, as under --frozen-intrinsics, all stays as it is.
    if (!asksForLeaks()) Reflect.set(Error, "stackTraceLimit", 0);
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
}

/** The SDK's own switch for that report. */
function asksForLeaks(): boolean {
  return (process.env.PULUMI_DEBUG_PROMISE_LEAKS ?? "") !== "";
}
