import * as pulumi from "@pulumi/pulumi";
import { fromText } from "../../engine/stored-as-json.js";
import { withRefs } from "../../../core/rules/assign-refs.js";
import { keyedRules, ruleEntries } from "../../../core/rules/keyed.js";
import { isObject, mapFrom, textOf } from "../../../core/model/json.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import { parseRule } from "../../../core/model/parse-rule.js";
import { inOurNames } from "../../../core/model/spelling.js";
import type { DeployedRuleInfo } from "../../../core/model/ruleset.js";
import type { PhaseEntrypointOutputs, PhaseEntrypointSettings, RulesetOutputs } from "./generated/bases.js";
import { derive } from "./rulesets-resource.js";

/** Arguments about existing rules and changes of others; they are not properties of the ruleset. */
export type OwnershipArgs = Pick<
  PhaseEntrypointSettings,
  "ownership" | "onExisting" | "onConflict" | "onDelete" | "maxRemovedPercent"
>;

type Held = "rules" | "order" | "deployedRules";

/**
 * Sets the outputs with rules as their types say. The engine sets the rules as a JSON text of an object by ref (in a preview
 * as that object), their order as a string, and the deployed rules as a JSON text.
 */
export function deriveRules(resource: PhaseEntrypointOutputs | RulesetOutputs): void {
  // The class declares none with these types.
  const { rules, order, deployedRules } = resource as unknown as Readonly<Record<Held, pulumi.Output<unknown>>>;
  derive(resource, "deployedRules", () => deployedRules.apply((held) => fromText(held) as readonly DeployedRuleInfo[]));
  derive(resource, "rules", () =>
    pulumi.all([rules, order]).apply(([byRef, text]) => rulesInOrder(fromText(byRef), text)),
  );
}

function rulesInOrder(rules: unknown, order: unknown): readonly RulesetRule[] {
  // Without a provider, as with Pulumi's mocks, the rules are the program's list.
  if (Array.isArray(rules)) return withRefs(rules.filter(isObject).map((rule) => parseRule(inOurNames(rule))));
  if (!isObject(rules)) return [];
  const byRef = Object.entries(rules).flatMap(([ref, rule]) =>
    isObject(rule) ? [[ref, parseRule(rule)] as const] : [],
  );
  const keyed = keyedRules(mapFrom(byRef), textOf(order));
  return ruleEntries(keyed).map(({ ref, rule }) => ({ ...rule, ref }));
}
