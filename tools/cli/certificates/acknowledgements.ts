import { readUserJson } from "../../rules-files/text/read-file.js";
import { isObject } from "../../../core/model/json.js";
import { isDay } from "../../../core/model/day.js";

/** A finding that has been reviewed and accepted. */
export interface Acknowledgement {
  /** The `key` of the finding. */
  readonly finding: string;
  readonly reason: string;
  /** The last day on which it applies, `YYYY-MM-DD`. @default no end */
  readonly until?: string;
}

const KEY =
  /^zones\/[^/]+\/(custom_hostnames\/[^/]+|custom_certificates\/[^/]+|ssl\/certificate_packs\/[^/]+|acm\/total_tls)$/;
const MEMBERS = ["finding", "reason", "until"];

/** Reads a file of acknowledgements. Throws with the path of the first invalid entry. */
export function readAcknowledgements(file: string): Acknowledgement[] {
  const refuse = (text: string): Error => new Error(`--acknowledged ${file}: ${text}`);
  const content = readUserJson(file, refuse);
  const list = isObject(content) ? content.acknowledged : undefined;
  if (!Array.isArray(list))
    throw refuse(
      'must be {"acknowledged": [{"finding": "<key of the finding>", "reason": "<why>", "until": "<day>"}]}',
    );
  const entries = (list as unknown[]).map((item, index) => {
    const problem = problemOf(item);
    if (problem !== undefined) throw refuse(`acknowledged[${String(index)}]${problem}`);
    return item as Acknowledgement;
  });
  const seen = new Set<string>();
  entries.forEach(({ finding }, index) => {
    if (seen.has(finding)) throw refuse(`acknowledged[${String(index)}].finding: ${finding} is listed twice`);
    seen.add(finding);
  });
  return entries;
}

function problemOf(item: unknown): string | undefined {
  if (!isObject(item)) return " must be an object with finding and reason";
  const { finding, reason, until } = item;
  const other = Object.keys(item).find((name) => !MEMBERS.includes(name));
  if (other !== undefined) return `.${other}: an entry has finding, reason and until`;
  if (typeof finding !== "string" || !KEY.test(finding))
    return '.finding: must be the key of a finding, such as "zones/<id>/custom_hostnames/<id>"; --json shows the keys';
  if (typeof reason !== "string" || reason.trim() === "")
    return ".reason: is required: say why the finding is accepted";
  if (until !== undefined && !(typeof until === "string" && isDay(until)))
    return ".until: must be a day such as 2024-12-31";
  return undefined;
}
