import { CUSTOM_OVERRIDES, executesCustomOnly } from "../../../core/simulator/custom-overrides.js";
import { isObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { failure, warning, type Findings } from "../../../core/model/failure.js";
import { ACTION_NAMES, PHASES } from "../tables.js";

type Rule = Readonly<Record<string, unknown>>;

const MOST_BYTES = 4096;
/** What logs and events show of a description. */
export const SHOWN_BYTES = 128;

/** Descriptions have a limit, in bytes. */
export function checkDescription({ description }: Rule, path: Path): Findings {
  if (typeof description !== "string" || isUnknown(description)) return [];
  const bytes = bytesIn(description);
  return bytes <= MOST_BYTES
    ? []
    : failure([...path, "description"], `has ${String(bytes)} bytes; the service allows at most ${String(MOST_BYTES)}`);
}

export function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Only skip rules can have `logging` (code 20018). */
export function checkLogging(rule: Rule, path: Path): Findings {
  const wrong = rule.logging !== undefined && !isUnknown(rule.action) && rule.action !== "skip";
  return wrong ? failure([...path, "logging"], "is only allowed in rules with the action skip") : [];
}

/**
 * Rate limits are only allowed in their phase, must set what they count, and must count by data centre. See
 * https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/.
 */
export function checkRatelimit(rule: Rule, phase: unknown, path: Path): Findings {
  const at = [...path, "ratelimit"];
  const value = rule.ratelimit;
  if (isUnknown(value) || isUnknown(phase)) return [];
  if (value === undefined) {
    const needed =
      phase === "http_ratelimit" && rule.action !== "execute" && ACTION_NAMES.includes(String(rule.action));
    return needed ? failure(path, "ratelimit is required in the phase http_ratelimit") : [];
  }
  if (!isObject(value)) return [];
  const by = value.characteristics;
  const place = phase === "http_ratelimit" || phase === "magic_transit_ratelimit";
  const counts =
    value.requestsPerPeriod !== undefined || value.scorePerPeriod !== undefined || value.wire !== undefined;
  const colo = Array.isArray(by) && by.every((item) => !isUnknown(item)) && !by.includes("cf.colo.id");
  return [
    place ? [] : misplacedLimit(phase, at),
    counts ? [] : failure(at, "needs requestsPerPeriod, or scorePerPeriod with scoreResponseHeaderName"),
    Array.isArray(by) && by.includes("ip.src") && by.includes("cf.unique_visitor_id")
      ? failure([...at, "characteristics"], "ip.src and cf.unique_visitor_id are mutually exclusive")
      : [],
    capitalHeader(by, at),
    colo && place ? failure([...at, "characteristics"], 'must include "cf.colo.id"') : [],
  ].flat();
}

/** https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/#use-a-lowercased-header-name-for-api-users */
function capitalHeader(by: unknown, at: Path): Findings {
  const found = Array.isArray(by)
    ? by.findIndex((one) => /^http[.]request[.]headers\["[^"]*[A-Z]/.test(String(one)))
    : -1;
  return found < 0 ? [] : failure([...at, "characteristics", found], "the names of headers are in lower case");
}

function misplacedLimit(phase: unknown, at: Path): Findings {
  return typeof phase === "string" && PHASES[phase] === undefined
    ? warning(
        at,
        `the phase ${phase} is not known to this version of pulumi-rulesets; of the known ones, only http_ratelimit allows it`,
      )
    : failure(at, "is only allowed in the phase http_ratelimit");
}

/**
 * Overrides of DDoS protection have sensitivity levels, and cannot disable anything; others the reverse. See
 * https://developers.cloudflare.com/ddos-protection/managed-rulesets/http/http-overrides/configure-api/.
 */
export function checkSensitivity(rule: Rule, phase: unknown, path: Path): Findings {
  const parameters = isObject(rule.actionParameters) ? rule.actionParameters : {};
  const overrides = isObject(parameters.overrides) ? parameters.overrides : undefined;
  if (overrides === undefined || typeof phase !== "string" || isUnknown(phase)) return [];
  const at = [...path, "actionParameters", "overrides"];
  const parts: [unknown, Path][] = [
    [overrides, at],
    ...["categories", "rules"].flatMap((key) => {
      const list: unknown = overrides[key];
      return Array.isArray(list)
        ? list.map((item: unknown, index): [unknown, Path] => [item, [...at, key, index]])
        : [];
    }),
  ];
  const isDdos = phase.startsWith("ddos_");
  return parts.flatMap(([part, place]) => {
    if (!isObject(part)) return [];
    if (isDdos && part.enabled !== undefined)
      return failure([...place, "enabled"], "DDoS protection cannot be disabled; lower its sensitivityLevel");
    return !isDdos && part.sensitivityLevel !== undefined
      ? failure([...place, "sensitivityLevel"], "is only allowed in the phases ddos_l4 and ddos_l7")
      : [];
  });
}

/**
 * Overrides of custom rulesets are accepted, and what they do is not documented. See
 * https://developers.cloudflare.com/ruleset-engine/custom-rulesets/.
 */
export function checkCustomOverrides(rule: Rule, phase: unknown, path: Path): Findings {
  const parameters = isObject(rule.actionParameters) ? rule.actionParameters : {};
  if (rule.action !== "execute" || parameters.overrides === undefined) return [];
  if (typeof phase !== "string" || !executesCustomOnly(phase)) return [];
  return warning(
    [...path, "actionParameters", "overrides"],
    `${CUSTOM_OVERRIDES}, so whether its rules still stop requests is not known. ` +
      "To continue: change the rules of the custom ruleset, or execute another one without overrides",
  );
}

const TIMED = ["maxAge", "sMaxage", "staleIfError", "staleWhileRevalidate"];

/** Checks that cache directives with a time have it when they are set, and not when they are removed. */
export function checkDirectives(rule: Rule, path: Path): Findings {
  if (rule.action !== "set_cache_control" || !isObject(rule.actionParameters)) return [];
  const parameters = rule.actionParameters;
  return TIMED.map((name) => {
    const directive = parameters[name];
    if (!isObject(directive)) return [];
    const at = [...path, "actionParameters", name];
    if (directive.operation === "set" && directive.value === undefined)
      return failure(at, "set needs a value in seconds");
    return directive.operation === "remove" && directive.value !== undefined
      ? failure(at, "remove takes no value")
      : [];
  }).flat();
}

/** Checks that a TTL that overrides the origin's has a value. */
export function checkCacheTimes(rule: Rule, path: Path): Findings {
  const parameters = isObject(rule.actionParameters) ? rule.actionParameters : {};
  return ["browserTtl", "edgeTtl"]
    .map((name) => {
      const ttl = parameters[name];
      return isObject(ttl) && ttl.mode === "override_origin" && ttl.default === undefined
        ? failure([...path, "actionParameters", name], "mode override_origin requires default, the time in seconds")
        : [];
    })
    .flat();
}

const RESPONSE_CACHE = "http_response_cache_settings";

/**
 * Cache settings of responses and of requests belong to different phases. See
 * https://developers.cloudflare.com/cache/how-to/cache-response-rules/.
 */
export function checkCachePhase(rule: Rule, phase: unknown, path: Path): Findings {
  if (rule.action !== "set_cache_settings" || !isObject(rule.actionParameters)) return [];
  if (typeof phase !== "string" || PHASES[phase] === undefined) return [];
  const stray = Object.keys(rule.actionParameters).filter(
    (name) => name !== "wire" && name.startsWith("strip") !== (phase === RESPONSE_CACHE),
  );
  return stray
    .map((name) => failure([...path, "actionParameters", name], `is not allowed in the phase ${phase}`))
    .flat();
}
