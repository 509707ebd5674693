import type { ZoneVerdict } from "../../../invariants/judge.js";
import { invariantWords, proofLines } from "../../../invariants/words.js";
import { attributesOf, escaped } from "../xml.js";
import type { ProveReport } from "./render.js";

/** The verdicts in the JUnit format that build servers read: a suite for each invariant, with a test for each zone. */
export function toJunit({ verdicts, files, failures }: ProveReport): string {
  const suites = files.invariants.map((invariant) => {
    const own = verdicts.filter((one) => one.invariant === invariant);
    const cases = own.map((one) => caseElement(one, files));
    return suiteElement(invariant.name, own, cases);
  });
  const unread = failures.map(({ label, failure }) => {
    const error = `      <error ${attributesOf({ message: failure, type: "error" })}/>`;
    return `    <testcase ${attributesOf({ classname: "zones", name: label, time: 0 })}>\n${error}\n    </testcase>`;
  });
  const errors = unread.length === 0 ? [] : [suiteElement("zones that could not be read", [], unread)];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="pulumi-rulesets rules prove">\n${[...suites, ...errors].join("\n")}\n</testsuites>`;
}

function suiteElement(name: string, verdicts: readonly ZoneVerdict[], cases: readonly string[]): string {
  const count = (verdict: ZoneVerdict["verdict"]): number => verdicts.filter((one) => one.verdict === verdict).length;
  const attributes = attributesOf({
    name,
    tests: cases.length,
    failures: count("violated") + count("unknown"),
    errors: cases.length - verdicts.length,
    skipped: count("excepted"),
    time: 0,
  });
  return `  <testsuite ${attributes}>\n${cases.join("\n")}\n  </testsuite>`;
}

function caseElement({ invariant, zone, verdict, proof, exception }: ZoneVerdict, files: ProveReport["files"]): string {
  const { file, line } = files.place(invariant);
  const attributes = attributesOf({ classname: invariant.name, name: zone.label, file, line, time: 0 });
  if (verdict === "proved") return `    <testcase ${attributes}/>`;
  const lines = [invariantWords(invariant), ...proofLines(proof)];
  const inside =
    verdict === "excepted"
      ? `<skipped ${attributesOf({ message: exception?.reason ?? "" })}/>`
      : `<failure ${attributesOf({ message: `${verdict}: ${lines.at(1) ?? ""}`, type: verdict })}>${escaped(lines.join("\n"))}</failure>`;
  return `    <testcase ${attributes}>\n      ${inside}\n    </testcase>`;
}
