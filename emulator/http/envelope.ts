import { Paged, ResultWithMessages } from "../call.js";
import type { ServiceError } from "../failure.js";

/** Wraps the result of an operation in the envelope. */
export function success(result: unknown): object {
  if (result instanceof Paged) return envelope(result.result, { result_info: result.info });
  if (result instanceof ResultWithMessages)
    return envelope(result.result, { messages: result.messages.map(messageBody) });
  return envelope(result, {});
}

function envelope(result: unknown, more: object): object {
  const { result_info, ...rest } = more as { result_info?: unknown };
  return {
    result,
    success: true,
    errors: [],
    messages: [],
    ...rest,
    ...(result_info === undefined ? {} : { result_info }),
  };
}

function messageBody({ message, pointer }: ResultWithMessages["messages"][number]): object {
  return { message, ...(pointer === undefined ? {} : { source: { pointer } }) };
}

/** A refusal. Like the real service, it sometimes sets `messages` to null, so that parsers are tested with it. */
export function failureBody(error: ServiceError): object {
  const errors = error.entries.map(({ code, message, pointer, chain, documentationUrl }) => ({
    ...(code === undefined ? {} : { code }),
    message,
    ...(pointer === undefined ? {} : { source: { pointer } }),
    ...(documentationUrl === undefined ? {} : { documentation_url: documentationUrl }),
    ...(chain === undefined ? {} : { error_chain: chain }),
  }));
  return { result: null, success: false, errors, messages: [] };
}
