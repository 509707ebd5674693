import type { RequestInput } from "../../language/index.js";

/** What readers need to know about a request besides its URL: whatever rules may read and is unusual. */
export function describeRequest(input: RequestInput): string {
  const { method = "GET", url, ip, headers = {}, lists = {}, fields = {} } = input;
  const more = [
    ...note("country", input.country, "DE"),
    ...note("AS", input.asn, 64496),
    ...note("version", input.httpVersion, "2"),
    ...note("bot score", input.botScore),
    ...note("body of", input.bodySize, 0, " bytes"),
    ...Object.entries(headers as Readonly<Record<string, string | readonly string[]>>).map(
      ([name, value]) => `${name}: ${String(value)}`,
    ),
    ...Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${show(value)}`])),
    ...Object.entries(lists).flatMap(([name, items]) =>
      items.length === 0 ? [] : [`$${name} contains ${items.join(", ")}`],
    ),
  ];
  const from = ip === undefined ? "" : ` from ${ip}`;
  return `${method} ${String(url)}${from}${more.length === 0 ? "" : ` (${more.join("; ")})`}`;
}

function note(name: string, value: string | number | undefined, usual?: string | number, unit = ""): readonly string[] {
  return value === undefined || value === usual ? [] : [`${name} ${String(value)}${unit}`];
}

function show(value: unknown): string {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
