import type { InvariantFinding, Judged, ZoneVerdict } from "../../../../core/invariants/judge.js";
import { groupVerdicts, invariantWords, reasonLines, zonesWords } from "../../../../core/invariants/words.js";
import { plural, titledList } from "../../../../core/model/words.js";
import { traceLines } from "../../../rules-files/try/render.js";
import type { SourceFailure } from "../../../rules-files/loaded.js";
import type { InvariantFiles } from "../../../rules-files/invariant-files.js";

export interface ProveReport extends Judged {
  readonly files: InvariantFiles;
  readonly notes: readonly string[];
  /** Zones, and rulesets of accounts, that could not be read. */
  readonly failures: readonly SourceFailure[];
  /** Replaces the secrets of the sources in a text. */
  readonly hide: (text: string) => string;
}

/** The report for people: what is not proved first, with a request that shows it. */
export function renderText(report: ProveReport): string {
  const { verdicts, findings, files, notes, failures } = report;
  return [
    ...files.invariants.flatMap((invariant) => {
      const own = verdicts.filter((one) => one.invariant === invariant);
      return own.length === 0 ? [] : [[invariant.name, `  ${invariantWords(invariant)}`, ...groupsOf(own)].join("\n")];
    }),
    ...titledList(
      "Findings",
      findings.map((finding) => findingLine(finding, files)),
    ),
    ...titledList("Notes", notes),
    ...titledList(
      "Could not be read",
      failures.map(({ label, failure }) => `${label}: ${failure}`),
    ),
    summary(report),
  ].join("\n\n");
}

function findingLine({ invariant, exception, message }: InvariantFinding, { place }: InvariantFiles): string {
  const { file, line } = place(invariant, exception);
  return `${file}:${String(line)}: ${invariant.name}: ${message}`;
}

const ORDER = ["violated", "unknown", "excepted", "proved"] as const;

/** Zones with the same verdict for the same reason together. */
function groupsOf(verdicts: readonly ZoneVerdict[]): readonly string[] {
  return ORDER.flatMap((verdict) =>
    groupVerdicts(verdicts.filter((each) => each.verdict === verdict)).flatMap(groupLines),
  );
}

function groupLines(group: readonly ZoneVerdict[]): readonly string[] {
  const [first] = group;
  if (first === undefined) return [];
  const { verdict, proof, exception } = first;
  const until =
    verdict === "excepted" && exception !== undefined ? ` until ${exception.until}: ${exception.reason}` : "";
  const lines = [`  ${verdict} in ${zonesWords(group)}${until}`, ...reasonLines(first).map((line) => `    ${line}`)];
  if (verdict !== "violated" || proof.verdict !== "violated") return lines;
  const reached = proof.trace.filter(({ status }) => status !== "disabled");
  return [...lines, ...traceLines(reached).map((line) => `    ${line}`)];
}

function summary({ verdicts, files }: ProveReport): string {
  const zones = new Set(verdicts.map(({ zone }) => zone)).size;
  const counts = ORDER.flatMap((verdict) => {
    const count = verdicts.filter((one) => one.verdict === verdict).length;
    return count === 0 ? [] : [`${String(count)} ${verdict}`];
  });
  const judged = counts.length === 0 ? "nothing was judged" : counts.join(", ");
  return `${plural(files.invariants.length, "invariant")} in ${plural(zones, "zone")}: ${judged}.`;
}

/** The report for other programs. */
export function toJsonValue({ verdicts, findings, files, notes, failures }: ProveReport): object {
  return {
    verdicts: verdicts.map(({ invariant, zone, verdict, proof, exception }) => ({
      invariant: invariant.name,
      zone: { id: zone.zone.id, name: zone.zone.name, label: zone.label },
      verdict,
      ...(proof.verdict === "violated"
        ? { request: proof.input, text: proof.text, trace: traceValue(proof.trace) }
        : {}),
      ...(proof.verdict === "unknown" ? { open: proof.open } : {}),
      ...(exception === undefined ? {} : { exception }),
    })),
    findings: findings.map(({ code, severity, invariant, exception, message }) => {
      const { file, line } = files.place(invariant, exception);
      return { code, severity, invariant: invariant.name, message, file, line };
    }),
    notes,
    failures,
  };
}

/** `why` is a getter, so its value is copied. */
function traceValue(trace: Extract<ZoneVerdict["proof"], { verdict: "violated" }>["trace"]): readonly object[] {
  return trace.map((entry) => ({ ...entry, why: entry.why }));
}
