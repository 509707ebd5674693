import { isDecided, isSameState } from "./phase.js";
import type {
  Compatibility,
  MigrationPhase,
  MigrationStatus,
  PreviousWaf,
  RetrievedConfig,
} from "../model/migration.js";
import type { Ruleset } from "../model/ruleset.js";

/** Limits that only Cloudflare support can raise. */
const MAX_FIREWALL_RULES = 200;
const MAX_EXPRESSION_BYTES = 4096;

/** Everything that was read about a zone before a step. */
export interface Survey {
  readonly zoneId: string;
  /** Empty if the credentials may not read it. */
  readonly zoneName: string;
  /** `free`, `pro`, `business` or `enterprise`; empty if unknown. */
  readonly plan: string;
  readonly status: MigrationStatus;
  readonly phase: MigrationPhase;
  /** Undefined once the zone is finishing or finished. */
  readonly compatibility?: Compatibility;
  /** Undefined if the zone cannot be migrated, or already is. */
  readonly config?: RetrievedConfig;
  /** The service's message, if it returned no configuration. */
  readonly configFailure?: string;
  readonly previous: PreviousWaf;
  readonly entrypoint?: Ruleset;
}

/** A zone as messages name it. */
export function zoneWords({ zoneName, zoneId }: Pick<Survey, "zoneName" | "zoneId">): string {
  return zoneName === "" ? zoneId : zoneName;
}

/** What prevents a zone's migration, each with what to do about it. */
export function obstaclesOf(survey: Survey): string[] {
  const { compatibility, configFailure, previous, phase } = survey;
  if (isDecided(phase)) return [];
  return [
    ...(compatibility?.compatible === false ? incompatible(survey) : []),
    ...tooMuch(previous),
    ...(configFailure === undefined ? [] : [configFailure]),
  ];
}

function incompatible(survey: Survey): string[] {
  const {
    zoneId,
    previous: { overrides },
  } = survey;
  const head = `zone ${zoneWords(survey)} (${zoneId}) is not compatible with the migration in its current configuration`;
  if (overrides === undefined)
    return [`${head}; the service gives no reason, and URI-based WAF overrides, the usual reason, could not be read.`];
  if (overrides.length === 0)
    return [
      `${head}; the service gives no reason, and there are no URI-based WAF overrides. Ask Cloudflare support why.`,
    ];
  const list = overrides.map(({ id, urls, description }) => {
    const name = description === "" ? "" : ` (${description})`;
    return `  - override ${id}${name} for ${urls.join(", ")}: DELETE /zones/${zoneId}/firewall/waf/overrides/${id}`;
  });
  return [
    `${head}, because it has URI-based WAF overrides.\n${list.join("\n")}\nTo continue: delete each with the API call next to it, or all of them with ` +
      `\`npx pulumi-rulesets migration delete-overrides --zone ${zoneWords(survey)}\`, which lists them first`,
  ];
}

/** Compatibility check and status each report the state: if they differ, one of them is outdated. */
export function stateDisagreement({ status, compatibility }: Survey): string[] {
  const [checked, stands] = [compatibility?.migrationState ?? "", status.migrationState];
  if (checked === "" || stands === "" || isSameState(checked, stands)) return [];
  return [
    `The compatibility check reports migration state ${JSON.stringify(checked)}, but the status reports ${JSON.stringify(stands)}. ` +
      "This report uses the status; check again before the finish.",
  ];
}

const SUPPORT = "Only Cloudflare support can resolve this; contact them before you continue.";

function tooMuch({ bypassRules }: PreviousWaf): string[] {
  const rules = bypassRules ?? [];
  const long = rules.filter(({ expression }) => Buffer.byteLength(expression) > MAX_EXPRESSION_BYTES);
  return [
    ...(rules.length > MAX_FIREWALL_RULES
      ? [
          `${String(rules.length)} firewall rules would be migrated, but at most ${String(MAX_FIREWALL_RULES)} can be. ${SUPPORT}`,
        ]
      : []),
    ...long.map(
      ({ id, description, expression }) =>
        `the expression of firewall rule ${id}${description === "" ? "" : ` (${description})`} has ${String(Buffer.byteLength(expression))} bytes, but at most 4 KB (${String(MAX_EXPRESSION_BYTES)}) can be migrated. ${SUPPORT}`,
    ),
  ];
}
