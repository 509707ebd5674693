import type { RecordedInput } from "../../../../core/language/index.js";
import { isObject, mapFrom } from "../../../../core/model/json.js";

/** A recorded request. */
export interface RecordedRequest {
  readonly request: RecordedInput;
  /** When it was received, in seconds since 1970. */
  readonly at: number | undefined;
  /** The service's ID of it. */
  readonly id: string | undefined;
}

/**
 * Reads a line of Cloudflare's HTTP request log:
 * https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/. Undefined if the URL is missing.
 */
export function readLogLine(line: unknown): RecordedRequest | undefined {
  if (!isObject(line)) return undefined;
  const host = textOf(line.ClientRequestHost);
  const whole = textOf(line.ClientRequestURI);
  const uri = whole ?? textOf(line.ClientRequestPath);
  if (host === undefined || uri === undefined) return undefined;
  const [scheme, method] = [textOf(line.ClientRequestScheme), textOf(line.ClientRequestMethod)];
  const version = textOf(line.ClientRequestProtocol);
  const score = integerOf(line.BotScore);
  const at = timeOf(line.EdgeStartTimestamp);
  const named = { "user-agent": line.ClientRequestUserAgent, referer: line.ClientRequestReferer };
  return {
    at,
    id: textOf(line.RayID),
    request: {
      method,
      url: `${scheme ?? "https"}://${host}${uri}`,
      httpVersion: version !== undefined && /^HTTP\/[\d.]+$/.test(version) ? version : undefined,
      ip: textOf(line.ClientIP),
      country: textOf(line.ClientCountry),
      asn: integerOf(line.ClientASN),
      // 0 means that no score was computed.
      botScore: score === 0 ? undefined : score,
      timestamp: at,
      // The same name again replaces what the log says elsewhere.
      headers: mapFrom(textsOf({ ...named, ...objectOf(line.RequestHeaders) }).filter(([, value]) => value !== "")),
      // Only headers and cookies that the zone is set to log are in it: https://developers.cloudflare.com/logs/logpush/logpush-job/custom-fields/
      recorded: {
        withoutHeaders: textsOf(named).flatMap(([name, value]) => (value === "" ? [name] : [])),
        cookies: mapFrom(textsOf(objectOf(line.Cookies))),
        withoutFields: [
          ...(method === undefined ? ["http.request.method"] : []),
          ...(scheme === undefined ? OF_SCHEME : []),
          ...(whole === undefined ? OF_QUERY : []),
          ...(line.WorkerSubrequest === false ? [] : ["cf.worker.upstream_zone"]),
        ],
      },
    },
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function integerOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : undefined;
}

function objectOf(value: unknown): object {
  return isObject(value) ? value : {};
}

function textsOf(value: object): (readonly [string, string])[] {
  return Object.entries(value).flatMap(([name, text]) => (typeof text === "string" ? [[name, text] as const] : []));
}

const both = (...names: readonly string[]): readonly string[] => names.flatMap((name) => [name, `raw.${name}`]);
const OF_SCHEME = ["ssl", "cf.edge.server_port", ...both("http.request.full_uri")];
const OF_QUERY = both(
  ...["uri", "full_uri", "uri.query", "uri.args", "uri.args.names", "uri.args.values"].map(
    (name) => `http.request.${name}`,
  ),
);

/** RFC 3339, seconds or nanoseconds: log jobs can write any of them. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === "string") {
    const parsed = Date.parse(value);
    return Number.isNaN(parsed) ? undefined : parsed / 1000;
  }
  if (typeof value !== "number") return undefined;
  return value > 1e14 ? value / 1e9 : value;
}
