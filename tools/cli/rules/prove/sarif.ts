import type { NamedInvariant } from "../../../../core/invariants/invariant.js";
import type { ZoneVerdict } from "../../../../core/invariants/judge.js";
import { invariantWords, reasonLines } from "../../../../core/invariants/words.js";
import { fingerprint, physicalLocation, SARIF_LEVELS, sarifLog } from "../sarif.js";
import type { ProveReport } from "./render.js";

/** What is not proved, and what is wrong with the files, in SARIF. The invariants are its rules. */
export function toSarif({ verdicts, findings, files, notes, failures }: ProveReport, version: string): object {
  const { invariants, place } = files;
  const open = verdicts.filter(({ verdict }) => verdict !== "proved");
  const results = [
    ...open.map((one) => ({ ...resultOf(one, invariants), locations: [locationOf(one.invariant, one.zone.label)] })),
    ...findings.map(({ code, severity, invariant, exception, message }) => ({
      ...about(invariant, invariants),
      level: SARIF_LEVELS[severity],
      message: { text: `${invariant.name}: ${message}` },
      locations: [physicalLocation(place(invariant, exception))],
      partialFingerprints: { "invariant/v1": fingerprint([invariant.name, code, message]) },
    })),
  ];
  const rules = invariants.map((invariant) => ({
    id: invariant.name,
    shortDescription: { text: invariant.name },
    help: { text: invariantWords(invariant) },
  }));
  return sarifLog({ version, rules, results, notes, failures });

  function locationOf(invariant: NamedInvariant, zone: string): object {
    return {
      ...physicalLocation(place(invariant)),
      logicalLocations: [{ fullyQualifiedName: zone, name: zone, kind: "resource" }],
    };
  }
}

function about(invariant: NamedInvariant, invariants: readonly NamedInvariant[]): object {
  return { ruleId: invariant.name, ruleIndex: invariants.indexOf(invariant) };
}

function resultOf(one: ZoneVerdict, invariants: readonly NamedInvariant[]): object {
  const { invariant, zone, verdict, exception } = one;
  return {
    ...about(invariant, invariants),
    level: verdict === "violated" ? "error" : "warning",
    message: { text: [`${invariant.name}: ${verdict} in ${zone.label}`, ...reasonLines(one)].join("\n") },
    partialFingerprints: { "invariant/v1": fingerprint([invariant.name, zone.label]) },
    ...(verdict === "excepted"
      ? { suppressions: [{ kind: "external", status: "accepted", justification: exception?.reason }] }
      : {}),
  };
}
