import type { ZoneInput } from "../simulator/index.js";
import type { Exception, ZoneSelector } from "./invariant.js";

/** Whether an invariant applies to a zone, or what has to be known about the zone to decide it. */
export type Applies = boolean | { readonly missing: "name" | "plan" };

export function appliesTo({ names, plans }: ZoneSelector, { id, name, plan }: ZoneInput): Applies {
  const isNamed = names === undefined || names.some((pattern) => isZone(pattern, { id, name }));
  const hasPlan = plans === undefined || plan === undefined || plans.includes(plan);
  if (!hasPlan) return false;
  if (!isNamed) return name === undefined ? { missing: "name" } : false;
  return plans !== undefined && plan === undefined ? { missing: "plan" } : true;
}

/** The exception for a zone. Of several, the one that applies longest. */
export function exceptionFor(except: readonly Exception[], zone: ZoneInput): Exception | undefined {
  const found = except.filter((one) => isZone(one.zone, zone));
  return found.reduce<Exception | undefined>(
    (last, one) => (last === undefined || one.until > last.until ? one : last),
    undefined,
  );
}

/** That an exception no longer applies. */
export function expiredWords({ zone, until }: Exception): string {
  return `the exception for ${zone} has expired: its last day was ${until}`;
}

/** Whether a pattern or ID means the zone. Names are not case-sensitive. */
export function isZone(pattern: string, { id, name }: Pick<ZoneInput, "id" | "name">): boolean {
  if (id !== undefined && pattern === id) return true;
  if (name === undefined) return false;
  const parts = pattern.toLowerCase().split("*");
  const [first = "", ...rest] = parts;
  const last = rest.pop();
  const text = name.toLowerCase();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false;
  let from = first.length;
  const end = text.length - last.length;
  return rest.every((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at !== -1 && from <= end;
  });
}
