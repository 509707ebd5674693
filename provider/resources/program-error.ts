import { RulesetsError } from "../model/errors.js";

/** A mistake in the program. Pulumi prints the message of such an error alone; of any other it prints a stack first. */
export class ProgramError extends RulesetsError {
  /** What `pulumi.RunError.isInstance` looks for: one class cannot extend both. */
  readonly __pulumiRunError = true;
}
