import { orderText } from "../../../core/model/ids.js";
import type { Props } from "../../engine/lifecycle.js";
import { isList, isObject, mapFrom, textOf, type JsonObject } from "../../../core/model/json.js";
import { deployedRuleInfo, type DeployedRuleInfo } from "../../../core/model/ruleset.js";
import { assignRefs } from "../../../core/rules/assign-refs.js";
import { contentOf } from "../../../core/rules/content.js";
import { late } from "../../../core/model/late.js";

/* States and inputs that `@pulumi/cloudflare` wrote: only here is it known how they differ. */

/** Only the first run after a move from that package reads such a state. */
const loadReader = late<typeof import("../../../client/cloudflare-package.js")>(() =>
  require("../../../client/cloudflare-package.js"),
);

/**
 * Converts inputs or a state of `@pulumi/cloudflare`, which have their rules as a list, to today's form: rules by
 * ref, and what the service returned for each.
 */
export function upgrade(props: Props): Props {
  const { rules: list } = props;
  if (!isList(list)) return props;
  const { ruleFromPackage } = loadReader();
  const rules = list.map((rule): JsonObject => (isObject(rule) ? { ...ruleFromPackage(rule) } : {}));
  const { refs } = assignRefs([], rules.map(asWritten));
  const entries = rules.map((rule, index) => ({ ref: refs[index] ?? "", rule }));
  const inputs = {
    ...props,
    rules: mapFrom(entries.map(({ ref, rule }) => [ref, rule] as const)),
    order: orderText(refs),
  };
  return { ...inputs, ...answersIn(props, entries) };
}

/**
 * The rule as a program would have written it. If a rule has no ref, the service uses its ID as the ref, which no
 * program does: it gets the ref that a program's rule would get.
 */
function asWritten(rule: JsonObject): JsonObject {
  const { ref, id } = rule;
  return { ...contentOf(rule), ...(ref === undefined || ref === id ? {} : { ref }) };
}

function answersIn(props: Props, entries: readonly { readonly ref: string; readonly rule: JsonObject }[]): object {
  const deployed = entries.flatMap(({ ref, rule }) => {
    const info = infoOf(rule, ref);
    return info === undefined ? [] : [{ ref, info, rule }];
  });
  return {
    version: textOf(props.version),
    lastUpdated: textOf(props.lastUpdated),
    rulesetId: textOf(props.rulesetId),
    deployedRules: deployed.map(({ info }) => info),
    ruleIds: mapFrom(deployed.map(({ ref, info }) => [ref, info.id] as const)),
    __answers: mapFrom(deployed.map(({ info, rule }) => [info.id, contentOf(rule)] as const)),
  };
}

function infoOf(
  { id, ref, version, lastUpdated, ...rule }: JsonObject,
  assigned: string,
): DeployedRuleInfo | undefined {
  if (typeof id !== "string") return undefined;
  return deployedRuleInfo({
    action: "",
    ...contentOf(rule),
    id,
    ref: typeof ref === "string" ? ref : assigned,
    version: textOf(version),
    ...(typeof lastUpdated === "string" ? { lastUpdated } : {}),
  });
}
