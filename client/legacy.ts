import type { WireRules } from "../core/legacy/old-rules.js";
import type { JsonObject } from "../core/model/json.js";
import type { Transport } from "./http/index.js";
import { allPages, encodeSegment, requireCounted, requireList, undefinedIfMissing } from "./pages.js";
import { ApiError } from "../core/model/errors.js";

/** The features that rulesets replace: page rules, user agent rules, lockdowns, access rules and previous rate limits. */
export class LegacyClient {
  constructor(private readonly transport: Transport) {}

  /** All rules of a zone, as the service returns them. The API of previous rate limits may have ended. */
  async rules(zoneId: string): Promise<WireRules> {
    const zone = `/zones/${encodeSegment(zoneId)}`;
    const list = (path: string): Promise<JsonObject[]> => allPages(this.transport, `${zone}/${path}`, 100);
    const call = { method: "GET", path: `${zone}/pagerules` } as const;
    const response = await this.transport.send(call);
    const pageRules = requireList(call, response);
    requireCounted(call, pageRules.length, response.totalCount);
    return {
      pageRules,
      userAgents: await list("firewall/ua_rules"),
      lockdowns: await list("firewall/lockdowns"),
      accessRules: await list("firewall/access_rules/rules"),
      rateLimits: (await untilEnd(undefinedIfMissing(list("rate_limits")))) ?? [],
    };
  }
}

/** https://developers.cloudflare.com/waf/reference/legacy/old-rate-limiting/upgrade/: it ended on 2025-06-15. */
async function untilEnd<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ApiError && error.status === 410) return undefined;
    throw error;
  }
}
