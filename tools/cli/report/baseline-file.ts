import type { Report } from "../../audit/report.js";
import { jsonFile } from "../../rules-files/text/json-file.js";
import { readUserText } from "../../rules-files/text/read-file.js";
import { messageOf } from "../../../core/model/errors.js";
import { readBySchema } from "../../../core/files/file-schema.js";
import { schema } from "../../../core/files/generated/validate-report-baseline.js";

/**
 * Reads a report that an earlier run wrote with `--json`. The schema has what a comparison reads.
 * @throws Error if the file is not a report, or one of another version
 */
export function readBaseline(file: string): Report {
  const text = readUserText(file);
  try {
    return readBySchema(jsonFile(text, file), schema) as unknown as Report;
  } catch (error) {
    throw new Error(
      `--baseline ${messageOf(error)}. To continue: write a report with \`npx pulumi-rulesets report --json --output <file>\``,
      { cause: error },
    );
  }
}
