import { Paged, Annotated } from "../call.js";
import type { ServiceError } from "../failure.js";

/** Wraps the result of an operation in the envelope. */
export function success(answer: unknown): object {
  if (answer instanceof Paged) return envelope(answer.result, { result_info: answer.info });
  if (answer instanceof Annotated) return envelope(answer.result, { messages: answer.messages.map(messageBody) });
  return envelope(answer, {});
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

function messageBody({ message, pointer }: Annotated["messages"][number]): object {
  return { message, ...(pointer === undefined ? {} : { source: { pointer } }) };
}

/** A refusal. Like the real service, it sometimes sets `messages` to null, so that parsers are tested with it. */
export function failureBody(error: ServiceError): object {
  const errors = error.entries.map(({ code, message, pointer, chain }) => ({
    ...(code === undefined ? {} : { code }),
    message,
    ...(pointer === undefined ? {} : { source: { pointer } }),
    ...(chain === undefined ? {} : { error_chain: chain }),
  }));
  return { result: null, success: false, errors, messages: [] };
}
