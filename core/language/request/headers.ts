import { lowerAscii } from "../bytes.js";
import { decodeUrl } from "../compile/functions/encoding.js";
import type { Bytes } from "../value.js";

/** A header as sent. */
export type Header = readonly [name: Bytes, value: Bytes];

/** What is known of the headers of a request of which only some were recorded. */
export interface RecordedHeaders {
  /** Names, in lower case, of headers that the request does not have. */
  readonly absent: ReadonlySet<Bytes>;
  /** Cookies of the header that was not recorded as a whole. */
  readonly cookies: readonly Header[];
}

/** Headers of which, if `recorded`, not all are known. */
export interface SomeHeaders {
  readonly headers: readonly Header[];
  readonly recorded?: RecordedHeaders;
}

/** All values of a header, whatever the case of its name. */
export function headerValues(headers: readonly Header[], name: Bytes): readonly Bytes[] {
  return headers.filter(([one]) => lowerAscii(one) === name).map(([, value]) => value);
}

/** The value of a header as its field returns it; empty if the header is missing. */
export function headerText(headers: readonly Header[], name: Bytes): Bytes {
  return headerValues(headers, name).join(name === "cookie" ? "; " : ", ");
}

/** Whether a header was not recorded. Its name is in lower case. */
export function isUnknownHeader({ headers, recorded }: SomeHeaders, name: Bytes): boolean {
  return recorded !== undefined && !recorded.absent.has(name) && !headers.some(([one]) => lowerAscii(one) === name);
}

/** Cookies in order: names percent-decoded, values unchanged. */
export function cookiesOf(headers: readonly Header[]): readonly Header[] {
  return headerText(headers, "cookie")
    .split("; ")
    .filter((cookie) => cookie !== "")
    .map((cookie) => {
      const at = cookie.indexOf("=");
      const name = at < 0 ? cookie : cookie.slice(0, at);
      return [decodeUrl(name.replaceAll("+", "%2B"), false, false), at < 0 ? "" : cookie.slice(at + 1)];
    });
}

/** The tags of `accept-language`, by descending weight. */
export function acceptedLanguages(headers: readonly Header[]): readonly Bytes[] {
  return headerText(headers, "accept-language")
    .split(",")
    .map((part) => {
      const [tag = "", ...parameters] = part.split(";").map((one) => one.trim());
      const weight = parameters.find((one) => one.startsWith("q="));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ tag, weight }) => tag !== "" && !Number.isNaN(weight))
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** The media type of `content-type` in lower case, without parameters. */
export function mediaType(headers: readonly Header[]): Bytes {
  return lowerAscii((headerText(headers, "content-type").split(";")[0] ?? "").trim());
}
