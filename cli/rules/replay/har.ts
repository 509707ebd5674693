import { isObject } from "../../../provider/model/json.js";
import type { RecordedRequest } from "./request-log.js";

/** The requests of a HAR file (HTTP Archive 1.2), as browsers save them. It does not record client addresses. */
export function fromHar(har: unknown): readonly RecordedRequest[] | undefined {
  const log = isObject(har) ? har.log : undefined;
  if (!isObject(log) || !Array.isArray(log.entries)) return undefined;
  return (log.entries as unknown[]).flatMap(fromEntry);
}

function fromEntry(entry: unknown): readonly RecordedRequest[] {
  if (!isObject(entry) || !isObject(entry.request) || typeof entry.request.url !== "string") return [];
  const { request } = entry;
  if (!/^https?:/i.test(entry.request.url)) return [];
  const version = typeof request.httpVersion === "string" ? versionOf(request.httpVersion) : undefined;
  const started = typeof entry.startedDateTime === "string" ? Date.parse(entry.startedDateTime) / 1000 : Number.NaN;
  const at = Number.isNaN(started) ? undefined : started;
  const body =
    isObject(request.postData) && typeof request.postData.text === "string" ? request.postData.text : undefined;
  return [
    {
      at,
      request: {
        method: typeof request.method === "string" ? request.method : undefined,
        url: entry.request.url,
        headers: headersOf(request.headers),
        httpVersion: version,
        body,
        timestamp: at,
      },
    },
  ];
}

/** Browsers write `h2`, `HTTP/2.0` and `http/2` for the same version. */
function versionOf(text: string): string | undefined {
  const number = /^(?:http\/|h)(\d(?:\.\d)?)$/i.exec(text)?.[1];
  return number === undefined ? undefined : number.replace(/\.0$/, (zero) => (number === "1.0" ? zero : ""));
}

/** Names that begin with a colon are pseudo-headers of HTTP/2, which replace the request line. */
function headersOf(headers: unknown): readonly (readonly [string, string])[] {
  if (!Array.isArray(headers)) return [];
  return (headers as unknown[]).flatMap((header) => {
    if (!isObject(header) || typeof header.name !== "string" || typeof header.value !== "string") return [];
    return header.name.startsWith(":") ? [] : [[header.name, header.value] as const];
  });
}
