import type { Scope } from "../../core/model/ids.js";
import type { JsonObject } from "../../core/model/json.js";
import type { Caller } from "./caller.js";

/** Why the service refuses a new ruleset with rules as its API spells them; undefined if it takes them. Nothing is left behind. */
export async function refusalOf(
  caller: Caller,
  { level, id, kind }: Scope & { readonly kind: string },
  { phase, rules }: { readonly phase: string; readonly rules: readonly JsonObject[] },
): Promise<string | undefined> {
  const path = `/${level}/${id}/rulesets`;
  const answer = await caller.send<{ id: string }>("POST", path, { name: "default", kind, phase, rules });
  if (!answer.success) return answer.errors.map(({ message }) => message).join("\n");
  await caller.send("DELETE", `${path}/${answer.result.id}`);
  return undefined;
}
