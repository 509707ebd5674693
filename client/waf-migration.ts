import { ApiError, failedRequestText } from "../core/model/errors.js";
import { type JsonObject, objectsIn } from "../core/model/json.js";
import {
  MANAGED_PHASE,
  type Compatibility,
  type MigrationMode,
  type MigrationStatus,
  type RetrievedConfig,
} from "../core/model/migration.js";
import { parseWireRule } from "../core/model/parse-rule.js";
import type { Ruleset } from "../core/model/ruleset.js";
import type { Call, Transport } from "./http/index.js";
import { rulesetFromWire } from "../core/model/codec.js";
import { encodeSegment, requireResult, responseText } from "./pages.js";

const PHASE_TWO = { phase_two: "1" };

/**
 * The migration from the previous managed rules to rulesets. No public API reference documents these operations, so names
 * of states and fields that are not official are passed on unchanged.
 */
export class WafMigrationClient {
  constructor(private readonly transport: Transport) {}

  /** The zone's progress in the migration. */
  async status(zoneId: string): Promise<MigrationStatus> {
    const call: Call = { method: "GET", path: `${root(zoneId)}/status` };
    return statusFromWire(requireResult(call, await this.transport.send(call), "status", saysStatus));
  }

  /** Whether the zone can migrate. The service gives no reasons. */
  async check(zoneId: string): Promise<Compatibility> {
    const result = await this.result({ method: "GET", path: `${root(zoneId)}/check`, query: PHASE_TWO });
    const migrationState = responseText(result.migration_state);
    return { compatible: result.compatible === true, ...(migrationState === "" ? {} : { migrationState }) };
  }

  /** The rulesets that are equivalent to the zone's previous WAF, exactly as the service returns them. */
  async config(zoneId: string): Promise<RetrievedConfig> {
    const call: Call = { method: "GET", path: `${root(zoneId)}/config`, query: PHASE_TWO };
    const result = await this.result(call);
    if (!Array.isArray(result.rules)) {
      throw new ApiError(failedRequestText(call, "the response contains no rules."), { code: "API_GARBLED" });
    }
    return { ...result, rules: objectsIn(result.rules).map(parseWireRule) };
  }

  /** Saves a configuration and moves the zone to the next state. `pending` cannot be undone. */
  advance(zoneId: string, mode: MigrationMode, config: RetrievedConfig): Promise<Ruleset> {
    return this.put(zoneId, config, { waf_migration: mode, ...PHASE_TWO });
  }

  /**
   * Saves the rules of a configuration without moving the zone on: for changes while both implementations run. Sends only
   * name and rules, because an ordinary update of an entry point does not accept `kind`, which a configuration may contain.
   */
  save(zoneId: string, { name, rules }: RetrievedConfig): Promise<Ruleset> {
    return this.put(zoneId, { ...(name === undefined ? {} : { name }), rules }, {});
  }

  private async put(zoneId: string, config: RetrievedConfig, query: Record<string, string>): Promise<Ruleset> {
    const path = `/zones/${encodeSegment(zoneId)}/rulesets/phases/${MANAGED_PHASE}/entrypoint`;
    return rulesetFromWire(await this.result({ method: "PUT", path, query, body: config }));
  }

  private async result(call: Call): Promise<JsonObject> {
    return requireResult(call, await this.transport.send(call));
  }
}

function statusFromWire(wire: JsonObject): MigrationStatus {
  return {
    migrationState: responseText(wire.migration_state),
    previousWaf: responseText(wire.old_waf_status),
    newWaf: responseText(wire.new_waf_status),
  };
}

/** A status that says nothing would be taken for that of a zone that has not started. */
function saysStatus(wire: JsonObject): boolean {
  return Object.values(statusFromWire(wire)).some((word) => word !== "");
}

function root(zoneId: string): string {
  return `/zones/${encodeSegment(zoneId)}/waf_migration`;
}
