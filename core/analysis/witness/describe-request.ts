import type { RequestInput } from "../../language/index.js";
import { ORDINARY } from "./build-request.js";

/**
 * What readers need to know about a request besides its URL: whatever rules may read and is unusual.
 * @param how.showsDraw whether its draw matters, also if it is in no share
 * @param how.now the time that goes without saying, in seconds since 1970
 */
export function describeRequest(
  input: RequestInput,
  { showsDraw = false, now }: { readonly showsDraw?: boolean; readonly now?: number } = {},
): string {
  const { method = "GET", url, ip, headers = {}, lists = {}, fields = {} } = input;
  const more = [
    ...note("country", input.country, ORDINARY.country),
    ...note("AS", input.asn, ORDINARY.asn),
    ...note("version", input.httpVersion, ORDINARY.httpVersion),
    ...note("bot score", input.botScore),
    ...note("drawn at", percentOf(input.draw), showsDraw ? undefined : percentOf(ORDINARY.draw), " %"),
    ...(input.timestamp === now ? [] : note("at", timeOf(input.timestamp), timeOf(ORDINARY.timestamp))),
    ...note("body of", input.bodySize, 0, " bytes"),
    ...Object.entries(headers as Readonly<Record<string, string | readonly string[]>>).map(
      ([name, value]) => `${name}: ${short(String(value))}`,
    ),
    ...Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${short(show(value))}`])),
    ...Object.entries(lists).flatMap(([name, items]) =>
      items.length === 0 ? [] : [`$${name} contains ${items.join(", ")}`],
    ),
  ];
  const from = ip === undefined ? "" : ` from ${ip}`;
  return `${method} ${short(String(url))}${from}${more.length === 0 ? "" : ` (${more.join("; ")})`}`;
}

function note(name: string, value: string | number | undefined, usual?: string | number, unit = ""): readonly string[] {
  return value === undefined || value === usual ? [] : [`${name} ${String(value)}${unit}`];
}

/** Where the random seed lies among all seeds, to four digits after the point. */
function percentOf(draw: number | undefined): number | undefined {
  return draw === undefined ? undefined : Math.round(draw * 1_000_000) / 10_000;
}

function timeOf(timestamp: number | undefined): string | undefined {
  if (timestamp === undefined) return undefined;
  const time = new Date(timestamp * 1000);
  return Number.isNaN(time.getTime()) ? `second ${String(timestamp)}` : time.toISOString().replace(".000Z", "Z");
}

/** The longest text that is shown whole. */
const LONGEST = 300;

/** A text that readers can see: a limit on the length of a path may need thousands of characters. */
function short(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 3)}… (${String(text.length)} characters)`;
}

function show(value: unknown): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
