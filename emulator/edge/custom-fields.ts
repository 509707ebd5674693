import { headerOf, type Headers } from "./message.js";

/** The fields of a request that rules log. */
interface CustomFields {
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
}

const PHASE = "http_log_custom_fields";

/** The fields that `log_custom_field` rules log, if the request and the response have them. */
export function loggedFields(
  settings: Readonly<Record<string, object>>,
  request: Headers,
  response: Headers,
): CustomFields {
  const wanted = (settings[PHASE] ?? {}) as Readonly<Record<string, readonly { readonly name: string }[] | undefined>>;
  const named = (...lists: readonly string[]): string[] =>
    lists.flatMap((list) => wanted[list] ?? []).map(({ name }) => name.toLowerCase());
  const cookies = cookiesOf(headerOf(request, "cookie") ?? "");
  return {
    requestHeaders: picked(named("request_fields", "transformed_request_fields"), (name) => headerOf(request, name)),
    responseHeaders: picked(named("response_fields", "raw_response_fields"), (name) => headerOf(response, name)),
    cookies: picked(named("cookie_fields"), (name) => cookies.get(name)),
  };
}

function picked(names: readonly string[], find: (name: string) => string | undefined): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = find(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function cookiesOf(header: string): ReadonlyMap<string, string> {
  return new Map(
    header.split(";").flatMap((part) => {
      const [name = "", ...value] = part.trim().split("=");
      return name === "" ? [] : [[name.toLowerCase(), value.join("=")]];
    }),
  );
}
