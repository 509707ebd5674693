import { bodyCheck, boolean, listOf, nonEmpty, object, string } from "../body.js";
import type { Body } from "../call.js";
import { refuse } from "../failure.js";
import type { Collection } from "../store/collection.js";
import type { Store } from "../store/store.js";
import { FIRST_RELEASES, type Managed } from "./catalogue.js";
import type { StoredRule } from "./model.js";

/** Cloudflare's managed rulesets. Only their newest version can be read, and only Cloudflare releases another one. */
export class ManagedRulesets {
  private readonly released: Collection<Managed>;

  constructor(store: Store) {
    this.released = store.collection("managed rulesets");
  }

  all(): readonly Managed[] {
    return FIRST_RELEASES.map((first) => this.get(first.ruleset.id) ?? first);
  }

  get(id: string): Managed | undefined {
    return this.released.get("", id) ?? FIRST_RELEASES.find(({ ruleset }) => ruleset.id === id);
  }

  /** Whether a rule belongs to a managed ruleset, to another one, or is unknown. */
  locate(rulesetId: string, ruleId: string): "here" | "elsewhere" | "unknown" {
    const home = this.all().find(({ version }) => version.rules.some(({ id }) => id === ruleId));
    return home === undefined ? "unknown" : home.ruleset.id === rulesetId ? "here" : "elsewhere";
  }

  /** Releases a version, as Cloudflare does without anybody's request: rules that are new or changed, and rules that leave. */
  release(id: string, sent: Body, { nextId, now }: { readonly nextId: () => string; readonly now: string }): Managed {
    const before = this.get(id);
    if (before === undefined) throw refuse(404, 10003, `could not find managed ruleset ${id}`);
    const { rules = [], removed = [] } = checkRelease(sent) as Release;
    const left = before.version.rules.map((rule) => rule.id);
    const lost = removed.find((one) => !left.includes(one));
    if (lost !== undefined) throw refuse(404, 10003, `could not find rule ${lost}`, "/removed");
    const kept = before.version.rules.filter((rule) => !removed.includes(rule.id));
    const changed = kept.map((rule) => {
      const change = rules.find((one) => one.id === rule.id);
      const version = String(Number(rule.version) + 1);
      return change === undefined ? rule : { ...rule, ...change, version, last_updated: now };
    });
    const added = rules
      .filter((rule) => !kept.some((one) => one.id === rule.id))
      .map((rule) => newRule(rule, rule.id ?? nextId(), now));
    const last = before.ruleset.last + 1;
    const released: Managed = {
      ruleset: { ...before.ruleset, last, version: String(last) },
      version: { ...before.version, version: String(last), last_updated: now, rules: [...changed, ...added] },
    };
    this.released.put("", id, released);
    return released;
  }
}

interface ReleasedRule extends Body {
  readonly id?: string;
  readonly action?: string;
}

interface Release {
  readonly rules?: readonly ReleasedRule[];
  readonly removed?: readonly string[];
}

const checkRelease = bodyCheck(
  object({
    rules: listOf(
      object({
        id: nonEmpty,
        description: string,
        action: nonEmpty,
        enabled: boolean,
        categories: listOf(string),
        score_threshold: { type: "integer" },
      }),
    ),
    removed: listOf(nonEmpty),
  }),
  [],
);

function newRule(rule: ReleasedRule, id: string, now: string): StoredRule {
  if (rule.action === undefined) throw refuse(400, undefined, "action is required for a new rule", "/rules");
  return { enabled: true, ...rule, id, ref: id, version: "1", last_updated: now };
}
