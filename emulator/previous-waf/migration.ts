import type { ApiResult, Body, Owner, Query } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { refuse, type ServiceError } from "../failure.js";
import { ownValue } from "../lookup.js";
import type { RulesetsService } from "../rulesets/service.js";
import type { Store } from "../store/store.js";
import type { Plan } from "../zones/model.js";
import { bypassRules, expressionOf, isManagedOn, mapConfiguration, switchingPageRules } from "./mapping.js";
import { FINISHED, type PreviousWaf, type WafSettings } from "./model.js";
import { CORE_PACKAGE } from "./packages.js";
import type { PreviousWafs } from "./wafs.js";

export const MANAGED_PHASE = "http_request_firewall_managed";
const MAX_FIREWALL_RULES = 200;
const MAX_EXPRESSION_BYTES = 4096;
const STEPS: Readonly<Record<string, "pending" | "validation">> = {
  pending: "pending",
  "1": "pending",
  validation: "validation",
  "2": "validation",
};

/** The one-way migration from the previous WAF to rulesets. */
export class MigrationService {
  constructor(
    private readonly store: Store,
    private readonly wafs: PreviousWafs,
    private readonly clock: EmulatorClock,
  ) {}

  /** The current settings of the previous WAF; a requested finish completes by itself. */
  of(zone: string): WafSettings {
    const waf = this.wafs.get(zone);
    if (waf.finishing === undefined || !isThrough(waf, this.clock.now())) return waf;
    const { finishing: _through, ...rest } = waf;
    const finished = { ...rest, state: FINISHED };
    this.wafs.put(zone, finished);
    return finished;
  }

  /** The same, with everything else that takes part in the migration. */
  private wholeOf(zone: string): PreviousWaf {
    this.of(zone);
    return this.wafs.getWhole(zone);
  }

  status(zone: string): ApiResult {
    const waf = this.of(zone);
    const { finishing } = waf;
    if (finishing !== undefined) {
      this.wafs.put(zone, { ...waf, finishing: { ...finishing, reads: finishing.reads + 1 } });
    }
    const onTheWay = finishing !== undefined && finishing.reads >= waf.lag;
    const isNew = waf.state === FINISHED || waf.state === "validation" || onTheWay;
    const isOld = waf.state !== FINISHED && waf.setting === "on";
    return {
      migration_state: onTheWay ? waf.finishingState : waf.state,
      old_waf_status: isOld ? "enabled" : "disabled",
      new_waf_status: isNew ? "enabled" : "disabled",
      source: waf.state === "default" ? "defaults" : "zone",
      created: waf.created,
    };
  }

  /** Whether the zone can be migrated; if not, the response has no state and no reasons. */
  check(zone: string, query: Query): ApiResult {
    const waf = this.wholeOf(zone);
    if (waf.state === FINISHED) return { compatible: false, migration_state: waf.state };
    return isEligible(waf, query) ? { compatible: true, migration_state: waf.state } : { compatible: false };
  }

  config(zone: string, query: Query): ApiResult {
    const waf = this.wholeOf(zone);
    if (waf.state === FINISHED) throw alreadyMigrated();
    if (!isEligible(waf, query)) throw notEligible();
    refuseBeyondLimits(waf);
    return { name: "default", rules: mapConfiguration(waf, this.plan(zone)) };
  }

  /** The entry point update that saves the configuration and advances the migration. */
  advance(owner: Owner, query: Query, body: Body, rulesets: RulesetsService): ApiResult {
    const step = ownValue(STEPS, query.waf_migration ?? "");
    if (step === undefined) {
      throw refuse(
        400,
        undefined,
        `'${query.waf_migration ?? ""}' is not a valid value for waf_migration because it must be pending or validation`,
      );
    }
    const waf = this.wholeOf(owner.id);
    if (waf.state === FINISHED || waf.finishing !== undefined) throw alreadyMigrated();
    if (!isEligible(waf, query)) throw notEligible();
    refuseBeyondLimits(waf);
    if (step === "validation" && this.plan(owner.id) !== "enterprise") {
      throw refuse(400, undefined, "not entitled: validation mode is available on Enterprise plans only");
    }
    this.wafs.put(owner.id, moved(this.wafs.get(owner.id), step, this.clock.now()));
    return rulesets.replaceEntrypoint(owner, MANAGED_PHASE, body);
  }

  /** Refuses rules that would run before the zone is enrolled; Enterprise zones may stage any rules. */
  refuseUnenrolled(owner: Owner, phase: string, rules: readonly Body[]): void {
    if (owner.level !== "zones" || phase !== MANAGED_PHASE) return;
    const waf = this.of(owner.id);
    const enrolled = waf.state === FINISHED || waf.state === "validation" || waf.finishing !== undefined;
    if (enrolled || this.plan(owner.id) === "enterprise" || rules.every(({ enabled }) => enabled === false)) return;
    throw refuse(400, undefined, "WAF enrollment is required");
  }

  /** For the previous APIs, which stop working after the finish. */
  requireNotFinished(zone: string): WafSettings {
    const waf = this.of(zone);
    if (waf.state !== FINISHED) return waf;
    throw refuse(410, undefined, "the previous version of the managed rules is gone: this zone uses rulesets");
  }

  /** A change by a test, or by Cloudflare on its own. */
  set(
    zone: string,
    change: Partial<Pick<WafSettings, "state" | "progression" | "finishingState" | "setting" | "managedOverrides">>,
  ): void {
    const { finishing, ...rest } = this.of(zone);
    const kept = change.state === undefined && finishing !== undefined ? { finishing } : {};
    this.wafs.put(zone, { ...rest, ...kept, ...change });
  }

  private plan(zone: string): Plan {
    return this.store.zones.get("", zone)?.plan ?? "enterprise";
  }
}

function moved(waf: WafSettings, step: "pending" | "validation", now: number): WafSettings {
  if (step === "validation") return { ...waf, state: "validation" };
  if (waf.progression === "at-once") return { ...waf, state: FINISHED };
  return { ...waf, finishing: { since: now, reads: 0 } };
}

function isThrough({ finishing, progression }: WafSettings, now: number): boolean {
  if (finishing === undefined || progression === "at-once") return true;
  if ("reads" in progression) return finishing.reads >= progression.reads;
  return "seconds" in progression && now - finishing.since >= progression.seconds * 1000;
}

/** All zones without URI-based overrides; in the first phase of the rollout, far fewer. */
function isEligible(waf: PreviousWaf, query: Query): boolean {
  if (waf.overrides.length > 0) return false;
  if (query.phase_two === "1") return true;
  const coreOff = waf.packages.find(({ id }) => id === CORE_PACKAGE)?.sensitivity === "off";
  const simple = waf.setting === "off" || (isManagedOn(waf) && coreOff);
  return simple && bypassRules(waf).length === 0 && switchingPageRules(waf).length === 0;
}

/** Limits that only support can raise. */
function refuseBeyondLimits(waf: PreviousWaf): void {
  const rules = bypassRules(waf);
  if (rules.length > MAX_FIREWALL_RULES) {
    throw refuse(
      400,
      undefined,
      `more than ${String(MAX_FIREWALL_RULES)} firewall rules to migrate: please contact support`,
    );
  }
  const long = rules.find((rule) => Buffer.byteLength(expressionOf(waf, rule)) > MAX_EXPRESSION_BYTES);
  if (long !== undefined) {
    throw refuse(
      400,
      undefined,
      `the expression of firewall rule ${long.id} is longer than 4 KB: please contact support`,
    );
  }
}

function alreadyMigrated(): ServiceError {
  return refuse(400, undefined, "the zone has already been migrated");
}

function notEligible(): ServiceError {
  return refuse(400, undefined, "the zone is not eligible for the migration in its current configuration");
}
