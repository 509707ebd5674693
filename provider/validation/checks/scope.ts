import { levelOfKind, type Scope } from "../../../core/model/ids.js";
import { OWN_KINDS } from "../../../core/model/ruleset.js";
import { isUnknown } from "../../../core/model/unknown.js";
import {
  errorsIn,
  failure,
  checkKnownValue,
  findNearest,
  warning,
  withCode,
  type Findings,
} from "../../../core/model/failure.js";
import { checkId } from "./ids.js";
import { PHASE_NAMES, PHASES } from "../tables.js";
import { late } from "../../../core/model/late.js";

/** Only for names that no phase with rulesets has. */
const loadOthers = late<typeof import("../other-phases.js")>(() => require("../other-phases.js"));

export interface Place {
  readonly zoneId?: unknown;
  readonly accountId?: unknown;
  readonly phase?: unknown;
  /** Undefined for a resource without a kind. */
  readonly kind?: unknown;
}

/**
 * Checks that the zone or the account is an ID, and that kind and phase exist there. See
 * https://developers.cloudflare.com/ruleset-engine/reference/phases-list/.
 */
export function checkScope(place: Place): Findings {
  return [withCode("ids", checkLevel(place)), checkPlace(place)].flat();
}

/** Checks that kind and phase exist, in the zone or the account if that is known. */
export function checkPlace(place: Place): Findings {
  return [withCode("phase", checkPhase(place)), withCode("kind", checkKind(place))].flat();
}

/** What {@link checkPlace} says that does not hold where the service has a ruleset: it may be newer than this version. */
export function refutable({ phase, kind }: Place, findings: Findings): Findings {
  const isName = typeof phase === "string" && /^\w+$/.test(phase);
  return errorsIn(findings).filter(({ code }) => (code === "phase" ? isName : code === "kind" && kind === "custom"));
}

/** Checks that the zone or the account, of which a description demands one, is an ID. */
function checkLevel({ zoneId, accountId }: Pick<Place, "zoneId" | "accountId">): Findings {
  if ((zoneId === undefined) === (accountId === undefined)) return [];
  return zoneId === undefined ? checkId(["accountId"], accountId) : checkId(["zoneId"], zoneId);
}

function checkPhase({ phase, zoneId, accountId, kind }: Place): Findings {
  if (isUnknown(phase)) return [];
  if (phase === undefined || phase === "") return failure(["phase"], "is required");
  if (typeof phase !== "string") return failure(["phase"], "must be a string");
  const table = PHASES[phase];
  if (table === undefined) return checkPhaseName(phase);
  const level = levelOf({ zoneId, accountId, kind });
  if (level === undefined || kind === "custom" || table.levels.includes(level)) return [];
  const has = table.levels.includes("zones") ? "zones only: specify zoneId" : "accounts only: specify accountId";
  return failure(["phase"], `${phase} (${table.product}) exists for ${has}`);
}

function levelOf({ zoneId, accountId, kind }: Place): Scope["level"] | undefined {
  if (zoneId !== undefined || accountId !== undefined) return zoneId === undefined ? "accounts" : "zones";
  return levelOfKind(kind);
}

/**
 * Checks the name of a phase. One that resembles no known phase may be newer. It becomes part of a URL, so only letters, digits
 * and _ are allowed.
 */
export function checkPhaseName(phase: string): Findings {
  const product = PHASES[phase] === undefined ? loadOthers().PRODUCTS_IN_PHASES[phase] : undefined;
  if (product !== undefined)
    return warning(
      ["phase"],
      `${phase} is the phase of ${product}, which has an API of its own: no rulesets of it are documented, so the service may refuse this`,
    );
  return findNearest(phase, PHASE_NAMES) === undefined && !/^\w+$/.test(phase)
    ? failure(
        ["phase"],
        `${JSON.stringify(phase)} is not the name of a phase, which contains letters, digits and _ only`,
      )
    : checkKnownValue(["phase"], "the phase", phase, PHASE_NAMES);
}

function checkKind({ kind, zoneId, accountId, phase }: Place): Findings {
  if (kind === undefined || isUnknown(kind)) return [];
  if (kind === "managed")
    return failure(["kind"], "managed rulesets belong to Cloudflare; execute them with overrides instead");
  if (typeof kind !== "string" || !OWN_KINDS.includes(kind))
    return failure(["kind"], `must be one of ${OWN_KINDS.join(", ")}`);
  if (kind === "root" && zoneId !== undefined)
    return failure(["kind"], 'root is the entry point of an account: specify accountId, or use kind "zone"');
  if (kind === "zone" && accountId !== undefined)
    return failure(["kind"], 'zone is the entry point of a zone: specify zoneId, or use kind "root"');
  const zoned = kind === "custom" && zoneId !== undefined && typeof phase === "string" && !isUnknown(phase);
  return zoned && phase !== "http_request_firewall_custom" && PHASES[phase] !== undefined
    ? failure(["kind"], "custom rulesets of a zone exist in phase http_request_firewall_custom only")
    : [];
}
