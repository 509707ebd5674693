import type { Session } from "../../engine/session.js";
import type { Pending } from "../../model/unknown.js";
import { type KeyedRules, NO_RULES } from "../../rules/keyed.js";
import type { RulesetInputs } from "./description.js";
import { desiredFrom, objectKeys, type Desired } from "./desired.js";

/** By URN, what the resources checked in this run wanted in the last run, parsed once. Those that do not change are dropped. */
export const lastDesired = (): LastDesired => new LastDesired();

class LastDesired {
  private readonly parsed = new Map<string, { readonly from: object; readonly desired: Desired }>();

  parse(urn: string, olds: Pending<RulesetInputs>): Desired {
    const known = this.parsed.get(urn);
    if (known?.from === olds) return known.desired;
    const desired = desiredFrom(olds);
    this.parsed.set(urn, { from: olds, desired });
    return desired;
  }

  find(urn: string): Desired | undefined {
    return this.parsed.get(urn)?.desired;
  }

  /** Drops what a resource wanted: it does not change. */
  forget(urn: string): void {
    this.parsed.delete(urn);
  }
}

/** The rules that this same resource had before it was replaced in this run: they do not belong to others. */
export function replacedRules(
  session: Session,
  { urn, target }: Pick<Desired, "urn" | "target">,
): KeyedRules | undefined {
  const before = session.part(lastDesired).find(urn ?? "");
  if (before === undefined) return undefined;
  const same = objectKeys(before.target, undefined).join() === objectKeys(target, undefined).join();
  return same && before.target.scope.id === target.scope.id ? (before.rules ?? NO_RULES) : undefined;
}
