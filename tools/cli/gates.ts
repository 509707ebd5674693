import type { Command } from "commander";

/** A command whose exit code lets a pipeline go on, or stops it. */
export interface Gate {
  /** The words that call it. */
  readonly command: string;
  /** The options that make it a gate, as they are typed. @default none: it always is one */
  readonly flag?: string;
  /** What 0 confirms. */
  readonly judges: string;
  /** What it does not judge, so that it does not end with 0, besides what could not be read. */
  readonly notJudged?: string;
}

/** Every gate, in the order of the help. */
export const GATES: readonly Gate[] = [
  {
    command: "migration check",
    judges: "nothing blocks the migration of the zones",
  },
  {
    command: "migration plan",
    judges: "the same",
  },
  {
    command: "certificates report",
    judges: "the chain change affects no certificate",
    notJudged: "a date or an acknowledgement that is not valid",
  },
  {
    command: "rules check",
    flag: "--fail-on",
    judges: "rules have no mistakes, and no rule is without effect",
    notJudged: "a program or a file without rulesets; what a program or a preview does not tell of its rules",
  },
  {
    command: "rules explain",
    judges: "the service accepts an expression",
    notJudged: "an empty expression",
  },
  {
    command: "rules try",
    judges: "the outcome of a request is known",
    notJudged: "an outcome that depends on what is not known here",
  },
  {
    command: "rules test",
    flag: "--coverage, --trace",
    judges: "rules do to requests what tests say",
    notJudged: "a file without tests; an outcome that is not known",
  },
  {
    command: "rules diff",
    flag: "--no-looser",
    judges: "an edit does not weaken enforcement",
    notJudged: "a difference that is not decided",
  },
  {
    command: "rules prove",
    judges: "invariants hold for all requests",
    notJudged: "an invariant that is not decided, or that applies to no zone",
  },
  {
    command: "rules replay run",
    flag: "--no-looser",
    judges: "enforcement does not weaken for recorded requests",
    notJudged: "a request whose treatment is not known; rate limits that were left out; no request at all",
  },
  {
    command: "rules replay merge",
    flag: "--no-looser",
    judges: "the same, for parts of a log",
    notJudged: "the same; parts of different rules or versions; the same part twice",
  },
  {
    command: "report",
    flag: "--fail-on",
    judges: "nothing weakens the protection of zones",
  },
  {
    command: "report",
    flag: "--baseline",
    judges: "nothing got worse since an earlier report",
    notJudged: "a change whose effect is not known; a report of another version",
  },
  {
    command: "report",
    flag: "--invariants",
    judges: "invariants hold for all requests of zones",
    notJudged: "an invariant that is not decided, or that applies to no zone",
  },
  {
    command: "managed diff",
    flag: "--fail-on",
    judges: "managed rules do what the lock file says",
    notJudged: "a lock file of another version",
  },
  {
    command: "summarize",
    flag: "--fail-on removed, weakened",
    judges: "a preview removes no rules, and weakens no protection",
    notJudged: "a preview that failed, or leaves something out; for weakened, a change whose effect is not known",
  },
  {
    command: "summarize",
    flag: "--fail-on drift",
    judges: "nothing changed outside the stacks",
    notJudged: "a preview that failed, or read nothing again",
  },
  {
    command: "summarize",
    flag: "--invariants",
    judges: "invariants hold for all requests after a preview",
    notJudged: "a preview that failed; an invariant that is not decided, or that applies to no zone",
  },
  {
    command: "drift",
    judges: "nothing changed outside the stacks",
    notJudged: "a state without resources of this package",
  },
  {
    command: "fleet plan",
    flag: "--fail-on",
    judges: "no shard has such a change",
    notJudged: "a shard that could not be previewed; zones that could not be listed",
  },
  {
    command: "fleet gate",
    judges: "the next wave may start",
    notJudged: "a gate that waits; a shard that is not done",
  },
];

/** The table of all gates, in Markdown. */
export function gateTable(program: Command): string {
  const rows = GATES.map(({ command, flag, judges, notJudged = "" }) => {
    const found = command
      .split(" ")
      .reduce<Command | undefined>((group, word) => group?.commands.find((one) => one.name() === word), program);
    if (found === undefined) throw new Error(`there is no command ${command}`);
    const call = `\`${command}${flag === undefined ? "" : ` ${flag}`}\``;
    return [call, judges, notJudged];
  });
  const lines = [["gate", "0 confirms that", "not judged, so not 0"], ["---", "---", "---"], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
