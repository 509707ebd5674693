import { readUserJson } from "../../provider/files/read-file.js";
import { isObject, type JsonObject } from "../../provider/model/json.js";
import { REPORT_VERSION, type Report } from "../../audit/report.js";

/** Reads a report that an earlier run wrote with `--json`. Throws when the file is not a report, or one of another version. */
export function readBaseline(file: string): Report {
  const refuse = (text: string): Error => new Error(`--baseline ${file}: ${text}`);
  const content = readUserJson(file, refuse);
  if (!isObject(content) || Object.keys(LISTS).some((name) => !Array.isArray(content[name])))
    throw refuse("is not a report. To continue: write one with `npx pulumi-rulesets report --json --output <file>`");
  if (content.version !== REPORT_VERSION)
    throw refuse(
      `is a report of version ${JSON.stringify(content.version)}, but this command reads version ${String(REPORT_VERSION)}. To continue: write a new one with --json`,
    );
  const problem = problemIn(content);
  if (problem !== undefined) throw refuse(`${problem}. To continue: write a new one with --json`);
  return content as unknown as Report;
}

interface Shape {
  readonly texts: readonly string[];
  readonly lists: readonly string[];
}

/** The fields of each list that a comparison reads. */
const LISTS: Readonly<Record<string, Shape>> = {
  zones: { texts: ["zoneId", "zoneName"], lists: ["coverage", "rulesets", "unread"] },
  accounts: { texts: ["accountId", "accountName"], lists: ["rulesets", "unread"] },
  findings: { texts: ["key", "name", "level", "message"], lists: [] },
};
const RULESET: Shape = { texts: ["id", "kind", "phase"], lists: ["managed", "rules"] };

function problemIn(report: JsonObject): string | undefined {
  for (const [name, shape] of Object.entries(LISTS)) {
    for (const [index, entry] of entriesOf(report, name)) {
      const place = `${name}[${String(index)}]`;
      const problem =
        missingIn(entry, shape, place) ??
        entriesOf(isObject(entry) ? entry : {}, "rulesets")
          .map(([number, ruleset]) => missingIn(ruleset, RULESET, `${place}.rulesets[${String(number)}]`))
          .find((one) => one !== undefined);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function entriesOf(object: JsonObject, name: string): (readonly [number, unknown])[] {
  const list = object[name];
  return Array.isArray(list) ? list.map((entry, index) => [index, entry] as const) : [];
}

function missingIn(entry: unknown, { texts, lists }: Shape, place: string): string | undefined {
  if (!isObject(entry)) return `${place} must be an object`;
  const text = texts.find((name) => typeof entry[name] !== "string");
  if (text !== undefined) return `${place}.${text} must be a string`;
  const list = lists.find((name) => !Array.isArray(entry[name]));
  return list === undefined ? undefined : `${place}.${list} must be a list`;
}
