import type { Body } from "../call.js";

/** Left out if they are false. */
const FLAGS: readonly string[] = ["cloudflare_only", "preserve_duplicates", "requests_to_origin"];
/** Left out if they are empty; `rules` are those of overrides. */
const LISTS: readonly string[] = ["categories", "rules"];

/**
 * A rule without the values that the service leaves out of its answers, because they mean the same as none. Cloudflare's Terraform
 * provider reads what is missing as these values:
 * https://github.com/cloudflare/terraform-provider-cloudflare/commit/71538e50970a1fd7a27bdba5ed1e285eaefcefcc
 */
export function withoutZeroValues(rule: Body): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(rule, (name, value: unknown) => (isLeftOut(name, value) ? undefined : value)),
  ) as Record<string, unknown>;
}

function isLeftOut(name: string, value: unknown): boolean {
  if (value === false) return FLAGS.includes(name);
  if (value === "") return name === "description";
  if (Array.isArray(value)) return value.length === 0 && LISTS.includes(name);
  return name === "action_parameters" && typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
