import { documentedAction } from "../../../provider/previous-waf/mapping/core-rule-set.js";
import { urlCondition } from "../../../provider/previous-waf/mapping/url-pattern.js";
import { isObject, textsIn, type Json, textOf } from "../../../provider/model/json.js";
import { managedRulesets } from "../../../provider/managed/rulesets.js";
import type { OwaspOptions } from "../../../provider/writing/owasp.js";
import type { FoundRule } from "../../inventory.js";
import type { ForeignResource } from "../foreign.js";

import {
  groupOutcome,
  isTagChanged,
  reasonNotConverted,
  tagOverrides,
  type Execution,
  type TagOverride,
} from "./managed-rules.js";
import { convertedRule, skipRule, type NotConverted, type Outcome } from "./outcome.js";
import type { WafInformation } from "./waf-information.js";

/**
 * Converts URI-based overrides, the highest priority first: each executes the managed rulesets with its own settings for its
 * URLs, and skips later executions. One that turns everything off becomes a skip rule.
 */
export function convertUrlOverrides(
  resources: readonly ForeignResource[],
  execution: Execution,
  information: WafInformation,
): Outcome {
  const outcomes = [...resources].sort(byPriority).map((one) => convert(one, execution, information));
  return {
    rules: outcomes.flatMap(({ rules }) => rules),
    notConverted: outcomes.flatMap(({ notConverted }) => notConverted),
  };
}

/** A lower number is a higher priority. */
function byPriority(a: ForeignResource, b: ForeignResource): number {
  const priority = ({ values }: ForeignResource): number =>
    typeof values.priority === "number" ? values.priority : Number.MAX_SAFE_INTEGER;
  return priority(a) - priority(b) || (a.address < b.address ? -1 : 1);
}

function convert(resource: ForeignResource, execution: Execution, information: WafInformation): Outcome {
  const { address, values } = resource;
  const urls = textsOf(values.urls);
  if (urls.length === 0)
    return { rules: [], notConverted: [{ what: address, reason: "the state does not contain its URLs" }] };
  const base = {
    description: textOf(values.description) || `URI-based override for ${urls[0] ?? ""}`,
    expression: bothOf(urls.map(urlCondition), execution.expression),
    ...(values.paused === true || !execution.enabled ? { enabled: false } : {}),
  };
  const rewrite = rewriteOf(mapOf(values.rewrite_action));
  const rewriting = rewrite.rest.map((reason) => ({ what: `${address}: rewrite_action`, reason }));
  // Nothing runs for these URLs, so groups and rules do not matter.
  if (rewrite.mode === "disable") return { rules: [skipRule(base)], notConverted: rewriting };
  const { tags, notConverted } = partsOf(resource, execution, information);
  const rules =
    rewrite.mode === undefined && tags.length === 0 ? [] : executions(base, execution, { tags, mode: rewrite.mode });
  const all = [...rewriting, ...notConverted];
  return {
    rules,
    notConverted: rules.length + all.length === 0 ? [{ what: address, reason: "it changes nothing" }] : all,
  };
}

/** The group settings of an override as tags, and what cannot be converted. */
function partsOf(
  { address, values }: ForeignResource,
  execution: Execution,
  information: WafInformation,
): { readonly tags: readonly TagOverride[]; readonly notConverted: readonly NotConverted[] } {
  const groups = mapOf(values.groups).map(([id, mode]) => groupOutcome({ id, mode, address }, information));
  const tags = groups.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
  const elsewhere = new Set(execution.tags.map(({ category }) => category));
  const isSame = (tag: TagOverride): boolean => !isTagChanged(tag) && !elsewhere.has(tag.category);
  return {
    tags: tags.filter((tag) => !isSame(tag)),
    notConverted: [
      ...groups.flatMap(({ notConverted }) => notConverted),
      ...tags.filter(isSame).map(({ category }) => ({ what: `${address}: group ${category}`, reason: ON_EVERYWHERE })),
      ...mapOf(values.rules).flatMap(([id, mode]): NotConverted[] => {
        const reason = reasonNotConverted({ id, mode }, information);
        return reason === undefined ? [] : [{ what: address, reason }];
      }),
    ],
  };
}

const ON_EVERYWHERE =
  "it turns the group on for its URLs, and the files do not show that it is off elsewhere, so the group runs everywhere. To convert it, add its cloudflare_waf_group to the state";

/** Executions for some URLs, and the exception that skips the ones after them. */
function executions(
  base: object,
  { core, tags }: Execution,
  own: { readonly tags: readonly TagOverride[]; readonly mode: string | undefined },
): FoundRule[] {
  const action = own.mode === undefined ? undefined : (documentedAction(own.mode) as OwaspOptions["action"]);
  const managed = convertedRule({
    ...base,
    action: "execute",
    actionParameters: {
      id: managedRulesets.cloudflareManaged,
      ...tagOverrides([...tags, ...own.tags], action),
    },
  });
  const changesCore = core !== undefined && action !== undefined;
  const scored = changesCore ? [convertedRule({ ...core({ action }), ...base })] : [];
  const done = [managedRulesets.cloudflareManaged, ...(changesCore ? [managedRulesets.owaspCore] : [])];
  return [managed, ...scored, convertedRule({ ...base, action: "skip", actionParameters: { rulesets: done } })];
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
  return textsIn(value).filter((item) => item !== "");
}
