/** Headers in order, as they go over the wire. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** A request as the edge got it. */
export interface Incoming {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: Headers;
  readonly remoteAddress?: string;
  readonly body: Buffer;
}

/** An answer of the edge or of an origin. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer | string;
}

/** The value of a header; several are joined, as the fields of rules see them. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const values = headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(", ");
}

/** Headers by their names in lower case. */
export function recordOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(headers.map(([name]) => [name.toLowerCase(), headerOf(headers, name.toLowerCase()) ?? ""]));
}

/** Headers changed to what a record says, where it says something else; the others stay as they came. */
export function withRecord(headers: Headers, wanted: Readonly<Record<string, string>>): Headers {
  const before = recordOf(headers);
  const changed = Object.entries(wanted).filter(([name, value]) => before[name] !== value);
  const kept = headers.filter(([name]) => before[name.toLowerCase()] === wanted[name.toLowerCase()]);
  return [...kept, ...changed];
}

/** A header value that any text can travel in. */
export function headerText(text: string): string {
  return text.replace(/[^ !#-$&-~]/gu, (sign) => encodeURIComponent(sign));
}
