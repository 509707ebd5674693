import type { Body, Message } from "../call.js";
import { tagsOf } from "./catalogue.js";
import type { ManagedRulesets } from "./managed.js";

/**
 * References to parts of managed rulesets that the emulator does not know. Cloudflare has thousands of rules and the emulator
 * only a few, so an unknown ID is probably correct.
 */
export function unknownNames(rules: readonly Body[], managed: ManagedRulesets): Message[] {
  return rules.flatMap((rule, index) => {
    const at = `/rules/${String(index)}/action_parameters`;
    const parameters = (rule.action_parameters ?? {}) as Body;
    if (rule.action === "execute") return inOverrides(parameters, `${at}/overrides`, managed);
    if (rule.action === "skip") return inSkips(parameters, `${at}/rules`, managed);
    return [];
  });
}

function inOverrides({ id, overrides = {} }: Body, at: string, managed: ManagedRulesets): Message[] {
  const { rules = [], categories = [] } = overrides as Readonly<Record<string, readonly Body[] | undefined>>;
  const known = knownOf(String(id), managed);
  if (known === undefined) return [];
  return [
    ...rules.flatMap((rule, index) =>
      known.rules.has(String(rule.id)) ? [] : [unknownRule(rule.id, id, `${at}/rules/${String(index)}/id`)],
    ),
    ...categories.flatMap(({ category }, index) =>
      known.tags.has(String(category))
        ? []
        : [
            message(
              `the tag ${String(category)} of ruleset ${String(id)} is not known here`,
              `${at}/categories/${String(index)}/category`,
            ),
          ],
    ),
  ];
}

function inSkips({ rules = {} }: Body, at: string, managed: ManagedRulesets): Message[] {
  return Object.entries(rules as Readonly<Record<string, readonly string[]>>).flatMap(([rulesetId, ids]) => {
    const known = knownOf(rulesetId, managed);
    return ids.flatMap((id, index) =>
      known === undefined || known.rules.has(id)
        ? []
        : [unknownRule(id, rulesetId, `${at}/${rulesetId}/${String(index)}`)],
    );
  });
}

function knownOf(
  id: string,
  managed: ManagedRulesets,
): { readonly rules: ReadonlySet<string>; readonly tags: ReadonlySet<string> } | undefined {
  const rules = managed.get(id)?.version.rules;
  if (rules === undefined) return undefined;
  return {
    rules: new Set(rules.map((rule) => rule.id)),
    tags: new Set(rules.flatMap(tagsOf)),
  };
}

function unknownRule(ruleId: unknown, rulesetId: unknown, pointer: string): Message {
  return message(`rule ${String(ruleId)} of ruleset ${String(rulesetId)} is not known here`, pointer);
}

function message(text: string, pointer: string): Message {
  return { message: `${text}: the emulator only knows some rules of the managed rulesets`, pointer };
}
