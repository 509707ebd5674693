/**
 * One quota that a response reports. The service reports quotas in two headers, each of which is a list:
 * `Ratelimit-Policy: "default";q=1200;w=300` (requests, seconds) and `Ratelimit: "default";r=50;t=30` (requests left,
 * seconds until the next window). See https://developers.cloudflare.com/fundamentals/api/reference/limits/.
 */
export interface Quota {
  readonly name: string;
  readonly remaining: number;
  readonly resetSeconds: number;
  /** Requests allowed in a window, if the response reports it. */
  readonly size?: number;
  /** Length of the window, if the response reports it. */
  readonly windowSeconds?: number;
}

/** Parses the rate limit headers of a response. Entries that are not quotas are ignored. */
export function readQuotas(limit: string | undefined, policy: string | undefined): Quota[] {
  const policies = new Map(items(policy).map(({ name, numbers }) => [name, numbers]));
  return items(limit).flatMap(({ name, numbers }) => {
    const remaining = numbers.get("r");
    const resetSeconds = numbers.get("t");
    if (remaining === undefined || resetSeconds === undefined) return [];
    const size = policies.get(name)?.get("q");
    const windowSeconds = policies.get(name)?.get("w");
    const whole = size !== undefined && windowSeconds !== undefined && size > 0 && windowSeconds > 0;
    return [{ name, remaining, resetSeconds, ...(whole ? { size, windowSeconds } : {}) }];
  });
}

interface Item {
  readonly name: string;
  readonly numbers: ReadonlyMap<string, number>;
}

/** `"a";q=1;w=2, "b";q=3` as names with their numbers. */
function items(header: string | undefined): Item[] {
  return (header ?? "").split(",").flatMap((text) => {
    const [name = "", ...parameters] = text.split(";").map((part) => part.trim());
    if (name === "") return [];
    const numbers = parameters.flatMap((parameter) => {
      const [, key, value] = /^([a-z]+)=(\d{1,12})$/.exec(parameter) ?? [];
      return key === undefined ? [] : [[key, Number(value)] as const];
    });
    return [{ name, numbers: new Map(numbers) }];
  });
}
