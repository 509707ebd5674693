import { fails, type InvariantFinding, type ZoneVerdict } from "../../../invariants/judge.js";
import { isError } from "../../../language/index.js";
import { invariantWords, reasonLines } from "../../../invariants/words.js";
import { attributesOf, escaped } from "../xml.js";
import type { ProveReport } from "./render.js";

/**
 * The verdicts in the JUnit format that build servers read: a suite for each invariant, with a test for each zone. One of them fails
 * wherever the command does.
 */
export function toJunit(report: ProveReport, allowUnknown: boolean): string {
  const { verdicts, findings, files, failures } = report;
  const empty = allowUnknown ? [] : findings.filter(isError);
  const suites = files.invariants.map((invariant) => [
    ...verdicts.filter((one) => one.invariant === invariant).map((one) => verdictCase(one, files, allowUnknown)),
    ...empty.filter((one) => one.invariant === invariant).map((one) => findingCase(one, files)),
  ]);
  const others = failures.map(({ label, failure }) => caseOf({ classname: "zones", name: label }, "error", failure));
  if (verdicts.length + empty.length + others.length === 0 && !allowUnknown)
    others.push(caseOf({ classname: "zones", name: "all" }, "failure", "nothing was judged"));
  const elements = [
    ...suites.map((cases, index) => suiteElement(files.invariants[index]?.name ?? "", cases)),
    ...(others.length === 0 ? [] : [suiteElement("zones that could not be judged", others)]),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="pulumi-rulesets rules prove">\n${elements.join("\n")}\n</testsuites>`;
}

type Result = "passed" | "failure" | "error" | "skipped";

interface Case {
  readonly result: Result;
  readonly element: string;
}

function suiteElement(name: string, cases: readonly Case[]): string {
  const count = (result: Result): number => cases.filter((one) => one.result === result).length;
  const attributes = attributesOf({
    name,
    tests: cases.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: 0,
  });
  return `  <testsuite ${attributes}>\n${cases.map(({ element }) => element).join("\n")}\n  </testsuite>`;
}

function verdictCase(one: ZoneVerdict, files: ProveReport["files"], allowUnknown: boolean): Case {
  const { invariant, zone, verdict, exception } = one;
  const { file, line } = files.place(invariant);
  const about = { classname: invariant.name, name: zone.label, file, line };
  if (verdict === "proved") return caseOf(about, "passed");
  if (verdict === "excepted") return caseOf(about, "skipped", exception?.reason ?? "");
  const [reason = ""] = reasonLines(one);
  const result = fails(verdict, allowUnknown) ? "failure" : "skipped";
  return caseOf(about, result, `${verdict}: ${reason}`, [invariantWords(invariant), ...reasonLines(one)].join("\n"));
}

function findingCase({ invariant, code, message }: InvariantFinding, files: ProveReport["files"]): Case {
  const { file, line } = files.place(invariant);
  return caseOf({ classname: invariant.name, name: code, file, line }, "failure", message);
}

function caseOf(about: Readonly<Record<string, string | number>>, result: Result, message = "", text = ""): Case {
  const attributes = attributesOf({ ...about, time: 0 });
  if (result === "passed") return { result, element: `    <testcase ${attributes}/>` };
  const said = attributesOf({ message, ...(result === "skipped" ? {} : { type: result }) });
  const inside = `<${result} ${said}>${escaped(text)}</${result}>`;
  return { result, element: `    <testcase ${attributes}>\n      ${inside}\n    </testcase>` };
}
