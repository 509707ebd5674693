/** An error entry of an answer. */
interface ErrorEntry {
  readonly code?: number;
  readonly message: string;
  readonly pointer?: string;
  readonly documentationUrl?: string;
  readonly chain?: readonly { readonly code: number; readonly message: string }[];
}

/** A refusal of the service: status and entries of `errors`. */
export class ServiceError extends Error {
  constructor(
    readonly status: number,
    readonly entries: readonly ErrorEntry[],
  ) {
    super(entries[0]?.message ?? "refused");
  }
}

export function refuse(status: number, code: number | undefined, message: string, pointer?: string): ServiceError {
  return new ServiceError(status, [
    { message, ...(code === undefined ? {} : { code }), ...(pointer === undefined ? {} : { pointer }) },
  ]);
}

/** A value as messages show it: strings without quotes. */
export function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The rulesets service's wording: `'x' is not a valid value for action because …`. */
export function invalidValue(
  value: unknown,
  field: string,
  reason: string,
  options: { code?: number; pointer?: string } = {},
): ServiceError {
  return refuse(
    400,
    options.code,
    `'${shown(value)}' is not a valid value for ${field} because ${reason}`,
    options.pointer,
  );
}
