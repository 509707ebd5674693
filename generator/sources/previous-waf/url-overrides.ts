import { documentedAction } from "../../../provider/kinds/waf-migration/mapping/core-rule-set.js";
import { urlCondition } from "../../../provider/kinds/waf-migration/mapping/url-pattern.js";
import { isObject, type Json } from "../../../provider/model/json.js";
import { managedRulesets } from "../../../provider/model/managed-rulesets.js";
import type { OwaspOptions } from "../../../provider/writing/owasp.js";
import type { FoundRule } from "../../inventory.js";
import type { ForeignResource } from "../foreign.js";
import { textOf } from "../terraform.js";
import { groupOutcome, isChange, ruleReason, withTags, type Execution, type TagOverride } from "./managed-rules.js";
import { rule, skipRest, type NotSaid, type Outcome } from "./outcome.js";
import type { WafKnowledge } from "./known.js";

/**
 * Converts URI-based overrides, the highest priority first: each executes the managed rulesets with its own settings for its
 * URLs, and skips later executions. One that turns everything off becomes a skip rule.
 */
export function fromUrlOverrides(
  resources: readonly ForeignResource[],
  execution: Execution,
  knowledge: WafKnowledge,
): Outcome {
  const outcomes = [...resources].sort(byPriority).map((one) => convert(one, execution, knowledge));
  return { rules: outcomes.flatMap(({ rules }) => rules), notSaid: outcomes.flatMap(({ notSaid }) => notSaid) };
}

/** A lower number is a higher priority. */
function byPriority(a: ForeignResource, b: ForeignResource): number {
  const priority = ({ values }: ForeignResource): number =>
    typeof values.priority === "number" ? values.priority : Number.MAX_SAFE_INTEGER;
  return priority(a) - priority(b) || (a.address < b.address ? -1 : 1);
}

function convert(resource: ForeignResource, execution: Execution, knowledge: WafKnowledge): Outcome {
  const { address, values } = resource;
  const urls = textsOf(values.urls);
  if (urls.length === 0)
    return { rules: [], notSaid: [{ what: address, reason: "the state does not contain its URLs" }] };
  const base = {
    description: textOf(values.description) || `URI-based override for ${urls[0] ?? ""}`,
    expression: bothOf(urls.map(urlCondition), execution.expression),
    ...(values.paused === true || !execution.enabled ? { enabled: false } : {}),
  };
  const rewrite = rewriteOf(mapOf(values.rewrite_action));
  const rewriting = rewrite.rest.map((reason) => ({ what: `${address}: rewrite_action`, reason }));
  // Nothing runs for these URLs, so groups and rules do not matter.
  if (rewrite.mode === "disable") return { rules: [skipRest(base)], notSaid: rewriting };
  const { tags, notSaid } = partsOf(resource, execution, knowledge);
  const rules =
    rewrite.mode === undefined && tags.length === 0 ? [] : executions(base, execution, { tags, mode: rewrite.mode });
  const all = [...rewriting, ...notSaid];
  return { rules, notSaid: rules.length + all.length === 0 ? [{ what: address, reason: "it changes nothing" }] : all };
}

/** The group settings of an override as tags, and what cannot be converted. */
function partsOf(
  { address, values }: ForeignResource,
  execution: Execution,
  knowledge: WafKnowledge,
): { readonly tags: readonly TagOverride[]; readonly notSaid: readonly NotSaid[] } {
  const groups = mapOf(values.groups).map(([id, mode]) => groupOutcome({ id, mode, address }, knowledge));
  const tags = groups.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
  const elsewhere = new Set(execution.tags.map(({ category }) => category));
  const isSame = (tag: TagOverride): boolean => !isChange(tag) && !elsewhere.has(tag.category);
  return {
    tags: tags.filter((tag) => !isSame(tag)),
    notSaid: [
      ...groups.flatMap(({ notSaid }) => notSaid),
      ...tags.filter(isSame).map(({ category }) => ({ what: `${address}: group ${category}`, reason: ON_EVERYWHERE })),
      ...mapOf(values.rules).flatMap(([id, mode]): NotSaid[] => {
        const reason = ruleReason({ id, mode }, knowledge);
        return reason === undefined ? [] : [{ what: address, reason }];
      }),
    ],
  };
}

const ON_EVERYWHERE =
  "it turns the group on for its URLs, and the files do not show that it is off elsewhere, so the group runs everywhere. To continue: add its cloudflare_waf_group to the state";

/** Executions for some URLs, and the exception that skips the ones after them. */
function executions(
  base: object,
  { core, tags }: Execution,
  own: { readonly tags: readonly TagOverride[]; readonly mode: string | undefined },
): FoundRule[] {
  const action = own.mode === undefined ? undefined : (documentedAction(own.mode) as OwaspOptions["action"]);
  const managed = rule({
    ...base,
    action: "execute",
    actionParameters: {
      id: managedRulesets.cloudflareManaged,
      ...withTags([...tags, ...own.tags], action),
    },
  });
  const changesCore = core !== undefined && action !== undefined;
  const scored = changesCore ? [rule({ ...core({ action }), ...base })] : [];
  const done = [managedRulesets.cloudflareManaged, ...(changesCore ? [managedRulesets.owaspCore] : [])];
  return [managed, ...scored, rule({ ...base, action: "skip", actionParameters: { rulesets: done } })];
}

/** The mode that an override gives every rule, and what cannot be applied to all rules. */
interface Rewrite {
  readonly mode: string | undefined;
  readonly rest: readonly string[];
}

const MODES = new Set(["block", "challenge", "simulate", "disable"]);

/**
 * A managed ruleset takes one action for all its rules. The action for rules in their default mode is used; without it, one
 * that every other mode is rewritten to.
 */
function rewriteOf(entries: readonly (readonly [from: string, to: string])[]): Rewrite {
  const changes = entries.filter(([from, to]) => from !== to && to !== "default");
  const [[, first] = ["", ""]] = changes;
  const every = ["block", "challenge", "simulate"].every((from) =>
    entries.some(([one, to]) => one === from && to === first),
  );
  const mode = changes.find(([from]) => from === "default")?.[1] ?? (every ? first : undefined);
  const known = mode !== undefined && MODES.has(mode) ? mode : undefined;
  return {
    mode: known,
    rest: changes
      .filter(([, to]) => to !== known)
      .map(
        ([from, to]) =>
          `it changes rules in mode ${from} to ${to}, but a managed ruleset takes one action for all of its rules`,
      ),
  };
}

function bothOf(urls: readonly string[], where: string): string {
  const any = urls.length === 1 ? (urls[0] ?? "") : urls.map((one) => `(${one})`).join(" or ");
  return where === "true" ? any : `(${any}) and (${where})`;
}

function mapOf(value: Json | undefined): (readonly [string, string])[] {
  if (!isObject(value)) return [];
  return Object.entries(value)
    .flatMap(([key, item]) => (typeof item === "string" ? [[key, item] as const] : []))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function textsOf(value: Json | undefined): string[] {
  return Array.isArray(value)
    ? ((value as Json[]).filter((item) => typeof item === "string" && item !== "") as string[])
    : [];
}
