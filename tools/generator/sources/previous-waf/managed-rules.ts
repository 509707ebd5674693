import { textOf } from "../../../../core/model/json.js";
import { documentedAction, documentedCore } from "../../../../core/previous-waf/mapping/core-rule-set.js";
import { effectOfMode, tagOfGroup, type OverrideEffect } from "../../../../core/previous-waf/mapping/managed-groups.js";
import type { JsonObject } from "../../../../core/model/json.js";
import { managedRulesets } from "../../../../core/managed/rulesets.js";
import { owasp } from "../../../../provider/sdk/writing/owasp.js";
import type { FoundRule } from "../../inventory.js";
import type { ForeignResource } from "../foreign.js";

import type { WafInformation } from "./waf-information.js";
import { convertedRule, type NotConverted, type Outcome } from "./outcome.js";

/** How the setting of a tag in the managed ruleset differs from Cloudflare's default. */
interface TagOverride extends OverrideEffect {
  readonly category: string;
}

/** How the managed rulesets run on all requests without an exception. */
export interface Execution {
  readonly expression: string;
  readonly enabled: boolean;
  readonly tags: readonly TagOverride[];
  /** The execution of the core ruleset; undefined if it is off or its settings are unknown. */
  readonly core: FoundRule | undefined;
}

/** Where the managed rules run: everywhere, or, if the zone's WAF setting is off, where page rules turn them on. */
export function placeOf(isOff: boolean, switchedOn: readonly string[]): Pick<Execution, "expression" | "enabled"> {
  if (!isOff) return { expression: "true", enabled: true };
  if (switchedOn.length === 0) return { expression: "true", enabled: false };
  const [only = ""] = switchedOn;
  return {
    expression: switchedOn.length === 1 ? only : switchedOn.map((one) => `(${one})`).join(" or "),
    enabled: true,
  };
}

/** Converts the packages, groups and rules of a zone to executions of the managed rulesets. */
export function executionOf(
  resources: readonly ForeignResource[],
  information: WafInformation,
  place: Pick<Execution, "expression" | "enabled">,
): { readonly execution: Execution; readonly notConverted: readonly NotConverted[] } {
  const of = (type: string): ForeignResource[] => resources.filter((one) => one.type === type);
  const groups = of("cloudflare_waf_group").map(({ address, values }) =>
    groupOutcome(
      { id: textOf(values.group_id), mode: textOf(values.mode), packageId: textOf(values.package_id), address },
      information,
    ),
  );
  const rules = of("cloudflare_waf_rule").flatMap(({ address, values }): NotConverted[] => {
    const part = { id: textOf(values.rule_id), mode: textOf(values.mode), packageId: textOf(values.package_id) };
    const reason = reasonNotConverted(part, information);
    return reason === undefined ? [] : [{ what: address, reason }];
  });
  const core = coreOf(of("cloudflare_waf_package"), information);
  const tags = groups.flatMap(({ tag }) => (tag === undefined ? [] : [tag]));
  const level = core.level;
  return {
    execution: {
      ...place,
      tags: [...tags].sort((a, b) => (a.category < b.category ? -1 : 1)),
      core: level === undefined ? undefined : (owasp(level) as FoundRule),
    },
    notConverted: [...groups.flatMap(({ notConverted }) => notConverted), ...rules, ...core.notConverted],
  };
}

/** The rules that execute the managed rulesets. */
export function executionRules({ expression, enabled, tags, core }: Execution): FoundRule[] {
  const place = { expression, ...(enabled ? {} : { enabled }) };
  const managed = convertedRule({
    action: "execute",
    ...place,
    actionParameters: { id: managedRulesets.cloudflareManaged, ...tagOverrides(tags) },
  });
  return [managed, ...(core === undefined ? [] : [convertedRule({ ...core, ...place })])];
}

/** Overrides of tags whose setting differs from Cloudflare's default. */
function tagOverrides(tags: readonly TagOverride[]): object {
  // If there are several for one tag, the last one applies.
  const categories = [...new Map(tags.map((tag) => [tag.category, tag])).values()].filter(
    ({ action, enabled }) => action !== undefined || enabled !== undefined,
  );
  return categories.length === 0 ? {} : { overrides: { categories } };
}

function coreOf(
  packages: readonly ForeignResource[],
  information: WafInformation,
): Outcome & { readonly level?: object } {
  const managed = packages.find(({ values }) => textOf(values.sensitivity) !== "");
  const values: JsonObject | undefined = managed?.values ?? information.core;
  if (values === undefined)
    return {
      rules: [],
      notConverted: [
        {
          what: "the core rule set of the previous WAF",
          reason:
            "the files do not contain its sensitivity, so nothing here executes it. To keep it, add owasp({ … }) to the rules of http_request_firewall_managed",
        },
      ],
    };
  const sensitivity = textOf(values.sensitivity);
  const level = documentedCore({ sensitivity, actionMode: textOf(values.action_mode) });
  if (level !== undefined || sensitivity === "off")
    return { rules: [], notConverted: [], ...(level === undefined ? {} : { level }) };
  return {
    rules: [],
    notConverted: [
      {
        what: managed?.address ?? "the core rule set of the previous WAF",
        reason: "its sensitivity is not one that Cloudflare documents",
      },
    ],
  };
}

/** A group and its mode. */
interface Group {
  readonly id: string;
  readonly mode: string;
  readonly packageId?: string;
  readonly address: string;
}

const CORE_NOT_MIGRATED =
  "Cloudflare's migration does not carry over overrides of the core rule set. If security events show that you need one, override rules of managedRulesets.owaspCore";

/** Converts a group to an override of the tag that the managed ruleset has for the same software. */
function groupOutcome(
  { id, mode, packageId = "", address }: Group,
  information: WafInformation,
): { readonly tag?: TagOverride; readonly notConverted: readonly NotConverted[] } {
  const known = information.group(id);
  const named = known?.name ?? "";
  const isCore = named === "" ? information.isCore(packageId) : /^OWASP/i.test(named);
  const what = address.includes("waf_group") ? address : `${address}: group ${named || id}`;
  if (mode === "on" || mode === "" || (isCore === true && mode === "default")) return { notConverted: [] };
  const none = (reason: string): { readonly notConverted: readonly NotConverted[] } => ({
    notConverted: [{ what, reason }],
  });
  if (isCore === true) return none(CORE_NOT_MIGRATED);
  if (named === "")
    return none(
      "the files do not contain its name, and groups have new IDs. To convert it, add the data source cloudflare_waf_groups to the state; or override the tag of managedRulesets.cloudflareManaged for its software",
    );
  const category = tagOfGroup(named);
  if (category === undefined)
    return none(
      `the managed ruleset has no tag for ${named}. Instead, override the rules of managedRulesets.cloudflareManaged that you do not want`,
    );
  return { tag: { category, ...effectOfMode(mode) }, notConverted: [] };
}

/** Why a rule's mode cannot be converted, with the override to write; undefined if it equals Cloudflare's default. */
function reasonNotConverted(
  { id, mode, packageId = "" }: { readonly id: string; readonly mode: string; readonly packageId?: string },
  information: WafInformation,
): string | undefined {
  const known = information.rule(id);
  const isCore = information.isCore(packageId || (known?.packageId ?? "")) ?? /^9\d{5}$/.test(id);
  if (mode === "on" || mode === "" || mode === "default") return undefined;
  if (isCore) return CORE_NOT_MIGRATED;
  const name = known === undefined || known.name === "" ? "" : `, ${JSON.stringify(known.name)},`;
  const fields = mode === "disable" || mode === "off" ? "enabled: false" : `action: "${documentedAction(mode)}"`;
  return (
    `rule ${id}${name} has a new ID, and Cloudflare publishes no mapping. To keep the setting, find the rule in ` +
    `managedRulesets.cloudflareManaged, and add this to the overrides of its execution: { rules: [{ id: "<its id>", ${fields} }] }`
  );
}
