/** Headers in order, as sent. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** A request as the edge received it. */
export interface Incoming {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: Headers;
  readonly remoteAddress?: string;
  readonly body: Buffer;
}

/** A response of the edge or of an origin. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer | string;
}

/** The value of a header; several values are joined, as in the fields of rules. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const values = headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(", ");
}

/** Headers by lower-case name. */
export function recordOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(headers.map(([name]) => [name.toLowerCase(), headerOf(headers, name.toLowerCase()) ?? ""]));
}

/** Sets headers to the values in a record where they differ; all other headers stay unchanged. */
export function withRecord(headers: Headers, wanted: Readonly<Record<string, string>>): Headers {
  const before = recordOf(headers);
  const changed = Object.entries(wanted).filter(([name, value]) => before[name] !== value);
  const kept = headers.filter(([name]) => before[name.toLowerCase()] === wanted[name.toLowerCase()]);
  return [...kept, ...changed];
}

/** Encodes any text as a header value. */
export function headerText(text: string): string {
  return text.replace(/[^ !#-$&-~]/gu, (sign) => encodeURIComponent(sign));
}
