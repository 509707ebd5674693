import type { Body, Owner } from "../../call.js";
import { invalidValue, refuse, shown } from "../../failure.js";
import type { Plan } from "../../zones/model.js";
import { entryKind, type Ruleset } from "../model.js";
import { findPhase } from "../phases.js";
import { ACCOUNT_CUSTOM_RULESETS, ZONE_CUSTOM_RULESETS } from "../quotas.js";
import type { StoredRulesets } from "../stored.js";
import { checkFields } from "./fields.js";

const CUSTOM_PHASE = "http_request_firewall_custom";
const READ_ONLY = ["id", "version", "last_updated", "source"];
const NEW = [...READ_ONLY, "name", "description", "kind", "phase", "rules"];
const WHOLE = [...NEW, "zone_id"];

/** The allowed content of a body for a new ruleset. */
export function checkNewBody(body: Body): void {
  checkFields(body, NEW);
  checkTexts(body);
}

/** The allowed content of a body that replaces a ruleset: what it says about its place must be so. */
export function checkReplacement(body: Body, place: Place): void {
  checkFields(body, WHOLE);
  checkTexts(body);
  for (const field of ["name", "kind", "phase", "zone_id"] as const) {
    const [sent, own] = [body[field], place[field]];
    if (sent === undefined || sent === own || (field === "name" && own === undefined)) continue;
    const text = `the ${field} field cannot be modified: got ${shown(sent)}, want ${own ?? "none"}`;
    throw refuse(400, undefined, text, `/${field}`);
  }
}

/** Where a ruleset is, and what it is. */
interface Place {
  /** Undefined where the name can be changed. */
  readonly name?: string;
  readonly kind: string;
  readonly phase: string;
  /** Undefined for a ruleset of an account. */
  readonly zone_id: string | undefined;
}

function checkTexts({ name, description }: Body): void {
  if (name !== undefined && (typeof name !== "string" || name === ""))
    throw invalidValue(name, "name", name === "" ? "it cannot be blank" : "it must be a string", { pointer: "/name" });
  if (description !== undefined && typeof description !== "string")
    throw invalidValue(description, "description", "it must be a string", { pointer: "/description" });
}

/** Checks name, kind and phase of a new ruleset, and the quotas of its kind. */
export function checkNewRuleset(
  owner: Owner,
  body: Body,
  { stored, plan }: { readonly stored: StoredRulesets; readonly plan: Plan | undefined },
): Pick<Ruleset, "name" | "kind" | "phase"> {
  const { name = "", kind = "", phase = "" } = body;
  checkTexts({ ...body, name });
  const place = typeof phase === "string" ? findPhase(phase) : undefined;
  if (typeof phase !== "string" || place === undefined)
    throw invalidValue(phase, "phase", "it is not a known phase", { pointer: "/phase" });
  const own = entryKind(owner);
  if (kind !== "custom" && kind !== own)
    throw invalidValue(kind, "kind", "it is not possible at this level", { pointer: "/kind" });
  if (kind === own && !(owner.level === "zones" ? place.zone : place.account))
    throw invalidValue(phase, "phase", "it does not exist at this level", { pointer: "/phase" });
  if (kind === own && stored.entrypoint(owner, phase) !== undefined)
    throw invalidValue(kind, "kind", `exceeded maximum number of ${own} rulesets for phase ${phase}`, {
      code: 20217,
      pointer: "/kind",
    });
  if (kind === "custom") checkCustom(owner, phase, stored, plan);
  return { name: String(name), kind: kind === "custom" ? "custom" : own, phase };
}

function checkCustom(owner: Owner, phase: string, stored: StoredRulesets, plan: Plan | undefined): void {
  const ofZone = owner.level === "zones";
  if (phase !== CUSTOM_PHASE) {
    if (!ofZone) return;
    throw invalidValue("custom", "kind", `it is not possible in phase ${phase} of a zone`, { pointer: "/kind" });
  }
  const most = ofZone ? ZONE_CUSTOM_RULESETS[plan ?? "enterprise"] : ACCOUNT_CUSTOM_RULESETS;
  const count = stored.in(owner).filter((ruleset) => ruleset.kind === "custom" && ruleset.phase === phase).length;
  if (count < most) return;
  const text = `exceeded the maximum number of custom rulesets: ${String(count + 1)} out of ${String(most)}`;
  throw refuse(400, 50002, text);
}
