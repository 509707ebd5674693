import { slug } from "../../rules/derive-ref.js";
import type { WantedRule } from "../../rules/match.js";
import { isObject, type Json } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { failure, join, type Findings } from "../../validation/index.js";
import { pathsByRule } from "../../engine/secrets.js";
import type { Request } from "../../engine/request.js";

/**
 * Refs and ids name rules in keys of the state, in its order, in outputs and in messages: none of them can be hidden. The
 * rules of another resource of this program come as one secret when there is a secret in them; their refs stand in clear
 * already, and pass.
 */
export function refuseSecretRefs({ args: { rules }, secretPaths, session: { secrets } }: Request): Findings {
  if (!Array.isArray(rules)) return join([]);
  const pathsIn = pathsByRule(secretPaths);
  return join(
    (rules as Json[]).flatMap((rule, index) =>
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

/** A ref stays, also when the description that it was made of becomes a secret later. */
export function traceTexts(
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
      `rules[${String(index)}].description: is a secret now, but the rule's ref ${ref} was made from it and is in plain text in ` +
        "the state. To remove it, give the rule another ref; the service then makes a new rule with a new id.",
    ];
  });
}
