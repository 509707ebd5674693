import type { Body } from "../../call.js";

/**
 * A rule in the notation of the API description. The service's documentation also has others, which the service takes:
 * - empty texts of what is missing: `id`, `version` and `ref`, as generated migration configurations contain them, and the
 *   counting expression (https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/);
 * - bare lists of query parameters in cache keys, `["*"]` or `"*"` for all of them
 *   (https://developers.cloudflare.com/cache/how-to/cache-rules/settings/#cache-key);
 * - empty lists of overrides beside others, as the tests of Cloudflare's Terraform provider send them
 *   (https://github.com/cloudflare/terraform-provider-cloudflare/commit/15912b044f727dc30315b0767895186c88974654).
 */
export function asDescribed({ ratelimit, action_parameters, ...rule }: Body): Body {
  return {
    ...withoutEmpty(rule, ["id", "version", "ref"]),
    ...(ratelimit === undefined
      ? {}
      : { ratelimit: isObject(ratelimit) ? withoutEmpty(ratelimit, COUNTING) : ratelimit }),
    ...(action_parameters === undefined
      ? {}
      : {
          action_parameters: changed(
            changed(action_parameters, QUERY, queryParameters),
            ["overrides"],
            withoutEmptyLists,
          ),
        }),
  };
}

const COUNTING = ["counting_expression"];
const QUERY = ["cache_key", "custom_key", "query_string"];

function withoutEmptyLists(overrides: Body): Body {
  return Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  );
}

function withoutEmpty(from: Body, names: readonly string[]): Body {
  return Object.fromEntries(Object.entries(from).filter(([name, value]) => value !== "" || !names.includes(name)));
}

/** A value with the object at a path replaced, if there is one. */
function changed(value: unknown, path: readonly string[], change: (found: Body) => Body): unknown {
  if (!isObject(value)) return value;
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  return Object.hasOwn(value, name) ? { ...value, [name]: changed(value[name], rest, change) } : value;
}

function queryParameters(query: Body): Body {
  const described = (value: unknown): unknown => {
    if (String(value) === "*") return { all: true };
    return Array.isArray(value) ? { list: value } : value;
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, described(value)]));
}

function isObject(value: unknown): value is Body {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
