import { RulesetsError } from "../../../core/model/errors.js";

/** A mistake in the program. Pulumi prints only the message of such an error; for any other, it prints a stack trace first. */
export class ProgramError extends RulesetsError {
  /** `pulumi.RunError.isInstance` looks for this property; one class cannot extend both. */
  readonly __pulumiRunError = true;
}
