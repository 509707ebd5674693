import { phaseWords } from "../../../audit/phases.js";
import type { Report, RulesetLine } from "../../../audit/report.js";
import type { Rows } from "../../table.js";
import {
  accountWords,
  levelWords,
  quotaWords,
  reachWords,
  ruleWords,
  rulesetWords,
  rulesOnWords,
  STATE_LABELS,
  timeWords,
  whereWords,
} from "./labels.js";

/** The tables of every format, as rows of text. */
interface Tables {
  readonly coverage: Rows;
  readonly findings: Rows;
  readonly managed: Rows;
  readonly rulesets: Rows;
}

export function tablesOf(report: Report): Tables {
  return {
    coverage: coverageRows(report),
    findings: findingRows(report),
    managed: managedRows(report),
    rulesets: rulesetRows(report),
  };
}

function coverageRows({ zones, phases }: Report): Rows {
  return {
    head: ["Zone", ...phases.map(phaseWords)],
    rows: zones.map(({ zoneName, coverage }) => [
      zoneName,
      ...phases.map((phase) => {
        const { sign, words } = STATE_LABELS[coverage.find((cell) => cell.phase === phase)?.state ?? "unknown"];
        return `${sign} ${words}`;
      }),
    ]),
  };
}

function findingRows({ findings }: Report): Rows {
  return {
    head: ["Severity", "Where", "Phase", "Rule", "Finding"],
    rows: findings.map((one) => {
      const { code, severity, where, phase, message } = one;
      return [severity, whereWords(where), phaseWords(phase), ruleWords(one), `${code}: ${message}`];
    }),
  };
}

function managedRows(report: Report): Rows {
  return {
    head: ["Where", "Managed ruleset", "Version", "Set to", "Rules on", "For"],
    rows: scopesOf(report).flatMap(({ where, rulesets }) =>
      rulesets.flatMap(({ managed }) =>
        managed.map((run) => [where, run.name, run.version ?? "", levelWords(run), rulesOnWords(run), reachWords(run)]),
      ),
    ),
  };
}

function rulesetRows(report: Report): Rows {
  return {
    head: ["Where", "Ruleset", "Version", "Last change", "Rules", "Quota"],
    rows: scopesOf(report).flatMap(({ where, rulesets }) =>
      rulesets.map((line) => [
        where,
        rulesetWords(line),
        line.version,
        timeWords(line.lastUpdated),
        ruleCount(line),
        quotaWords(line),
      ]),
    ),
  };
}

function ruleCount({ rules }: RulesetLine): string {
  const off = rules.filter(({ enabled }) => !enabled).length;
  return off === 0 ? String(rules.length) : `${String(rules.length)}, ${String(off)} disabled`;
}

function scopesOf({
  accounts,
  zones,
}: Report): { readonly where: string; readonly rulesets: readonly RulesetLine[] }[] {
  return [
    ...accounts.map((account) => ({ where: accountWords(account), rulesets: account.rulesets })),
    ...zones.map(({ zoneName, rulesets }) => ({ where: zoneName, rulesets })),
  ];
}
