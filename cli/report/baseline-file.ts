import { readFileSync } from "node:fs";
import { isObject } from "../../provider/model/json.js";
import { REPORT_VERSION, type Report } from "./audit/report.js";

/** Reads a report that an earlier run wrote with `--json`. Throws when it is none, or one of another version. */
export function readBaseline(file: string): Report {
  const refuse = (text: string): Error => new Error(`--baseline ${file}: ${text}`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw refuse((error as Error).message);
  }
  const shape = ["zones", "accounts", "findings", "phases"] as const;
  if (!isObject(content) || shape.some((name) => !Array.isArray(content[name])))
    throw refuse("is no report. To continue: write one with `pulumi-rulesets report --json --output <file>`");
  if (content.version !== REPORT_VERSION)
    throw refuse(
      `is a report of version ${JSON.stringify(content.version)}, and this command reads version ${String(REPORT_VERSION)}. To continue: write a new one with --json`,
    );
  return content as unknown as Report;
}
