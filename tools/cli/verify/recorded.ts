import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isSameAnswer, type Answer } from "./answers.js";
import type { Case } from "./suite.js";
import type { Recording } from "./result.js";

/** The recordings in a folder; none without it. */
export function readRecordings(folder: string): Recording[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Recording);
}

/** When, and on which plan, the service was seen to take the valid body of an entry and to refuse the other; the latest. */
export function recordedOn(
  code: string,
  recordings: readonly Recording[],
): Pick<Recording, "date" | "plan"> | undefined {
  const seen = ({ cases }: Recording, body: Case["body"], kind: Answer["kind"]): boolean =>
    cases.some((one) => one.code === code && one.body === body && one.answer.kind === kind);
  return recordings
    .filter((one) => seen(one, "valid", "accepted") && seen(one, "invalid", "refused"))
    .sort((a, b) => b.date.localeCompare(a.date))[0];
}

/** The recorded cases that get another answer now. */
export async function replay(
  { cases }: Recording,
  suite: readonly Case[],
  ask: (one: Case) => Promise<Answer>,
): Promise<string[]> {
  const differing: string[] = [];
  for (const { code, body, answer } of cases) {
    const one = suite.find((asked) => asked.code === code && asked.body === body);
    if (one === undefined || !isSameAnswer(await ask(one), answer)) differing.push(`${code} (${body})`);
  }
  return differing;
}
