import type { ServiceError } from "../failure.js";

/** A successful answer. */
export function success(result: unknown, info?: unknown): object {
  return { result, success: true, errors: [], messages: [], ...(info === undefined ? {} : { result_info: info }) };
}

/** A refusal. Like the real service, it leaves `messages` null now and then: parsers must cope. */
export function failureBody(error: ServiceError): object {
  const errors = error.entries.map(({ code, message, pointer, chain }) => ({
    ...(code === undefined ? {} : { code }),
    message,
    ...(pointer === undefined ? {} : { source: { pointer } }),
    ...(chain === undefined ? {} : { error_chain: chain }),
  }));
  return { result: null, success: false, errors, messages: [] };
}
