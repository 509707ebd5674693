import { bodyOf, Paged, param, zoneOf } from "../call.js";
import type { GroupDefinition } from "../group-definition.js";
import { noSeed } from "../seed-part.js";
import { DnsService } from "./service.js";

const ROOT = "/zones/:owner/dns_records";
const RECORD = `${ROOT}/:record`;

/** DNS records of zones. */
export const dns: GroupDefinition = {
  seed: noSeed,
  build: ({ store, clock }) => {
    const service = new DnsService(store, clock);
    return {
      codes: { malformed: 9207, other: 1004 },
      routes: [
        ["GET", ROOT, (call) => Paged.of(service.list(zoneOf(call), call.query))],
        ["POST", ROOT, (call) => service.create(zoneOf(call), bodyOf(call))],
        ["POST", `${ROOT}/batch`, (call) => service.batch(zoneOf(call), bodyOf(call))],
        ["GET", RECORD, (call) => service.get(zoneOf(call), param(call, "record"))],
        ["PUT", RECORD, (call) => service.update(zoneOf(call), param(call, "record"), bodyOf(call), true)],
        ["PATCH", RECORD, (call) => service.update(zoneOf(call), param(call, "record"), bodyOf(call), false)],
        ["DELETE", RECORD, (call) => service.delete(zoneOf(call), param(call, "record"))],
      ],
    };
  },
};
