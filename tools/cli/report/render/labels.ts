import { coreWords } from "../../../../core/previous-waf/readiness/words.js";
import { ruleName } from "../../../../core/model/names.js";
import { SEVERITIES } from "../../../../core/language/index.js";
import { phaseWords } from "../../../audit/phases.js";
import {
  STATES,
  type AccountEntry,
  type Cell,
  type AuditFinding,
  type ManagedRun,
  type Report,
  type RulesetLine,
  type State,
  type Where,
} from "../../../audit/report.js";
import { plural } from "../../../../core/model/words.js";

/** A sign and a word for each state, so that they can be told apart without colours. */
export const STATE_LABELS: Readonly<
  Record<State, { readonly sign: string; readonly words: string; readonly meaning: string }>
> = {
  active: {
    sign: "✓",
    words: "active",
    meaning: "rules stop requests, and no error or warning weakens them",
  },
  default: { sign: "○", words: "Cloudflare's default", meaning: "Cloudflare's rules run with their default settings" },
  weakened: {
    sign: "!",
    words: "weakened",
    meaning: "rules stop requests, and an error or a warning weakens them",
  },
  logging: { sign: "≈", words: "only logs", meaning: "rules run, but none of them stops a request" },
  unprotected: {
    sign: "✕",
    words: "unprotected",
    meaning: "no rule stops a request, which is an error or a warning",
  },
  empty: { sign: "·", words: "no rules", meaning: "no rule stops a request, here or in any other zone of the report" },
  notInPlan: {
    sign: "–",
    words: "not in the plan",
    meaning: "the plan of the zone does not include what protects other zones",
  },
  unknown: { sign: "?", words: "not read", meaning: "something could not be read" },
};

/** `weakened: 12 rules stop requests, 1 only logs; 2 findings`. */
export function cellWords({ state, stopping, logging, fromAccount, findings }: Cell): string {
  const rules = [
    ...(stopping === 0 ? [] : [`${plural(stopping, "rule")} ${stopping === 1 ? "stops" : "stop"} requests`]),
    ...(logging === 0 ? [] : [`${plural(logging, "rule")} only ${logging === 1 ? "logs" : "log"}`]),
    ...(fromAccount ? ["including rules of the account"] : []),
    ...(findings.length === 0 ? [] : [plural(findings.length, "finding")]),
  ];
  const { words } = STATE_LABELS[state];
  return rules.length === 0 ? words : `${words}: ${rules.join(", ")}`;
}

export function accountWords({ accountId, accountName }: Pick<AccountEntry, "accountId" | "accountName">): string {
  return `account ${accountName === "" ? accountId : accountName}`;
}

export function whereWords({ level, name }: Where): string {
  return level === "zone" ? name : `account ${name}`;
}

/** The settings of a managed ruleset: `PL2, score threshold 40 (medium), action block`, `Cloudflare's defaults`. */
export function levelWords(run: ManagedRun): string {
  const { paranoiaLevel, scoreThreshold, enabled, action, sensitivityLevel, overrides } = run;
  if (paranoiaLevel !== undefined) return coreWords({ paranoiaLevel, scoreThreshold, action });
  const parts = [
    ...(enabled === undefined ? [] : [`all rules ${enabled ? "on" : "off"}`]),
    ...(action === undefined ? [] : [`action ${action}`]),
    ...(sensitivityLevel === undefined ? [] : [`sensitivity ${sensitivityLevel}`]),
    ...(overrides.tags === 0 ? [] : [`overrides of ${plural(overrides.tags, "tag")}`]),
    ...(overrides.rules === 0 ? [] : [`overrides of ${plural(overrides.rules, "rule")}`]),
  ];
  return parts.length === 0 ? "Cloudflare's defaults" : parts.join(", ");
}

/** `5 of 6: 4 block, 1 managed_challenge`. */
export function rulesOnWords({ rules, rule }: ManagedRun): string {
  if (!rule.enabled) return "none: the rule is disabled";
  if (rules === undefined) return "not read";
  const actions = Object.entries(rules.actions).map(([action, number]) => `${String(number)} ${action}`);
  return `${String(rules.on)} of ${String(rules.total)}${actions.length === 0 ? "" : `: ${actions.join(", ")}`}`;
}

const REACH = { every: "every request", none: "no zone of this report", some: "" } as const;

/** Which requests a rule applies to. */
export function reachWords({ reach, expression }: ManagedRun): string {
  return reach === "some" ? expression : REACH[reach];
}

export function quotaWords({ quota }: RulesetLine): string {
  return quota === undefined ? "" : `${String(quota.used)} of ${String(quota.included)}`;
}

/** `2026-11-22 06:46` in UTC. */
export function timeWords(time: string | undefined): string {
  return time === undefined ? "" : time.slice(0, 16).replace("T", " ");
}

export function rulesetWords({ kind, name, phase }: Pick<RulesetLine, "kind" | "name" | "phase">): string {
  return kind === "custom" ? `${phaseWords(phase)}: "${name}"` : phaseWords(phase);
}

/** The display name of a finding's rule or list. */
export function ruleWords({ rule, ruleset, list }: Pick<AuditFinding, "rule" | "ruleset" | "list">): string {
  if (list !== undefined) return list.name;
  if (rule === undefined) return ruleset?.name === "default" ? "" : (ruleset?.name ?? "");
  return rule.description === "" ? `${rule.action} ${rule.ref.slice(0, 8)}` : (ruleName(rule) ?? rule.action);
}

/** `3 zones, 2026-11-22 06:46 UTC: 2 errors, 1 warning.` */
export function summary({ zones, accounts, unread, createdAt, findings }: Report): string {
  const failures = zones.filter(({ failure }) => failure !== undefined).length;
  const failed = failures === 0 ? "" : ` (${String(failures)} could not be read)`;
  const isPartial = failures > 0 || [{ unread }, ...zones, ...accounts].some((one) => one.unread.length > 0);
  const where = isPartial ? " in what could be read" : "";
  const head = `${plural(zones.length, "zone")}${failed}, ${timeWords(createdAt)} UTC`;
  const counts = SEVERITIES.flatMap((severity) => {
    const number = findings.filter((one) => one.severity === severity).length;
    return number === 0 ? [] : [plural(number, severity)];
  });
  const found = counts.length === 0 ? "no findings" : counts.join(", ");
  return `${head}: ${found}${where}${emptyWords(zones)}.`;
}

/** A phase without rules in any zone is no finding, as no zone stands out, so it is said here. */
function emptyWords(zones: Report["zones"]): string {
  const states = zones.flatMap(({ coverage }) => coverage.map(({ state }) => state));
  const empty = states.filter((state) => state === "empty").length;
  return empty === 0 ? "" : `; no rule stops a request in ${plural(empty, "phase")} of ${plural(zones.length, "zone")}`;
}

/** Everything that could not be read, one line each. */
export function failureLines({ zones, accounts, unread, notes }: Report): string[] {
  return [
    ...zones.flatMap(({ zoneName, failure, unread }) => [
      ...(failure === undefined ? [] : [`${zoneName}: ${failure}`]),
      ...unread.map(({ what, reason }) => `${zoneName}: ${what}: ${reason}`),
    ]),
    ...accounts.flatMap(({ unread, ...account }) =>
      unread.map(({ what, reason }) => `${accountWords(account)}: ${what}: ${reason}`),
    ),
    ...unread.map(({ what, reason }) => `${what}: ${reason}`),
    ...notes,
  ];
}

/** The states that occur, for the legend. */
export function legend({ zones }: Report): readonly State[] {
  const present = new Set(zones.flatMap(({ coverage }) => coverage.map(({ state }) => state)));
  return STATES.toReversed().filter((state) => present.has(state));
}
