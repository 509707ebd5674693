import { slug } from "../../../rules/derive-ref.js";
import type { WantedRule } from "../../../rules/match.js";
import { isList, isObject } from "../../../model/json.js";
import type { Path } from "../../../model/path.js";
import { failure, joinFindings, type Findings } from "../../../validation/index.js";
import { pathsByRule } from "../../../engine/secrets.js";
import type { Request } from "../../../engine/request.js";
import type { GivenRulesetArguments } from "../description.js";

/**
 * Refs and IDs appear in keys of the state, in its order, in outputs and in messages, so they cannot be hidden. The
 * rules of another resource of this program arrive as one secret if any of them contains a secret; their refs are
 * already in plain text, so they pass.
 */
export function refuseSecretRefs({
  args: { rules },
  secretPaths,
  session: { secrets },
}: Request<GivenRulesetArguments>): Findings {
  if (!isList(rules)) return joinFindings([]);
  const pathsIn = pathsByRule(secretPaths);
  return joinFindings(
    rules.flatMap((rule, index) =>
      (["ref", "id"] as const)
        .filter((name) => isObject(rule) && rule[name] !== undefined && !secrets.isPublished(rule[name]))
        .filter((name) => pathsIn(index).some(([step]) => step === undefined || step === name))
        .map((name) =>
          failure(
            ["rules", index, name],
            `is a secret, or inside one, but a rule's ${name} is in plain text in the state, in outputs and in ` +
              `messages. Make single values of the rule secret (expression: secret), or leave ${name} out; ` +
              `if it does not need to be hidden, use pulumi.unsecret(${name})`,
          ),
        ),
    ),
  );
}

/** Warns about refs that were derived from a description that has become a secret: the ref stays. */
export function refTraceWarnings(
  pathsIn: (index: number) => readonly Path[],
  wanted: readonly WantedRule[],
  refs: readonly string[],
): string[] {
  return wanted.flatMap((rule, index) => {
    const ref = refs[index] ?? "";
    const description = isObject(rule) && typeof rule.description === "string" ? slug(rule.description) : "";
    const isSecret = pathsIn(index).some(([step]) => step === undefined || step === "description");
    if (!isSecret || description.length < 4 || !ref.startsWith(description)) return [];
    return [
      `rules[${String(index)}].description: is a secret now, but the rule's ref ${ref} was derived from it and is in plain text in ` +
        "the state. To remove it, give the rule another ref; the service then creates a new rule with a new ID.",
    ];
  });
}
