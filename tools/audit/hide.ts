import { secretsOf } from "../generator/program/secrets.js";
import { isObject } from "../../core/model/json.js";
import { Secrets } from "../../client/redaction/secrets.js";
import type { Facts } from "./facts.js";

/** Removes from a text what looks like a secret in the rules: values compared with headers such as `Authorization`. */
export type Hide = (text: string) => string;

export function hideSecretsOf({ zones, accounts }: Pick<Facts, "zones" | "accounts">): Hide {
  const secrets = new Secrets();
  for (const { rulesets } of [...accounts, ...zones]) {
    for (const rule of rulesets.flatMap(({ rules }) => rules) as readonly unknown[]) {
      const parts = isObject(rule) ? secretsOf(rule).flatMap((text) => text.parts) : [];
      for (const part of parts) if (typeof part !== "string") secrets.add(part.value);
    }
  }
  return (text) => secrets.hide(text);
}
