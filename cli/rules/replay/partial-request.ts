import { HttpRequest, makeRequest } from "../../../language/index.js";
import { parseIp } from "../../../language/ip.js";
import type { RequestParts } from "../../../language/request/parts.js";
import { percentEncode } from "../../../language/request/target.js";
import type { Defaults } from "./defaults.js";
import { pathOf, queryOf, type LogPart } from "./log-parts.js";
import type { Recorded } from "./recorded.js";
import { timeOf, type LogRecord } from "./request-log.js";

const NOTHING = makeRequest({ url: "https://example.com/" });

type MakeParts = (record: LogRecord, one: Recorded, defaults: Defaults) => Partial<RequestParts>;

/** For the parts whose values do not often come again. */
const MAKE: Partial<Readonly<Record<LogPart, MakeParts>>> = {
  path: ({ uri }) => withTarget({ path: percentEncode(pathOf(uri)) }),
  query: ({ uri }) => {
    const query = queryOf(uri);
    return withTarget({ query: query === undefined ? undefined : percentEncode(query) });
  },
  uri: ({ uri }) => {
    const query = queryOf(uri);
    return withTarget({
      path: percentEncode(pathOf(uri)),
      query: query === undefined ? undefined : percentEncode(query),
    });
  },
  ip: ({ ip }, _, defaults) => ({ ip: addressOf(ip ?? defaults.ip) }),
  draw: (_, one) => ({ draw: one.place }),
  time: ({ time }) => ({ timestamp: timeOf(time) }),
};

function withTarget(changed: Partial<RequestParts["target"]>): Partial<RequestParts> {
  const target = { ...NOTHING.parts.target, ...changed };
  return { target, original: { target, headers: NOTHING.parts.headers } };
}

/** @throws TypeError on an invalid address */
function addressOf(text: string | undefined): RequestParts["ip"] {
  const address = text === undefined ? undefined : parseIp(text);
  if (text !== undefined && address === undefined) throw new TypeError(`ip: "${text}" is not an IP address`);
  return address;
}

/**
 * Returns what makes a request that is like a recorded one in one part only, in a fraction of the time. Undefined if there is no such
 * way.
 */
export function partialMaker(
  part: LogPart,
  defaults: Defaults,
): ((one: Recorded, record: LogRecord) => HttpRequest) | undefined {
  const make = MAKE[part];
  if (make === undefined) return undefined;
  return (one, record) => new HttpRequest({ ...NOTHING.parts, ...make(record, one, defaults) }, NOTHING.list);
}
