import type { Command } from "commander";

/** A command whose exit code lets a pipeline go on, or stops it. */
export interface Gate {
  /** The words that call it. */
  readonly command: string;
  /** The options that make it a gate, as they are typed. @default none: it always is one */
  readonly flag?: string;
  /** What 0 confirms. */
  readonly judges: string;
  /** What it does not judge, and for which it therefore does not end with 0. */
  readonly notJudged: string;
}

const UNREAD = "a zone, or a part of it or of its account, that could not be read";

/** Every gate, in the order of the help. */
export const GATES: readonly Gate[] = [
  {
    command: "migration check",
    judges: "whether nothing blocks the migration of the zones",
    notJudged: "a zone that could not be read",
  },
  {
    command: "migration plan",
    judges: "the same, and what each zone would get",
    notJudged: "a zone, or a part of its previous WAF, that could not be read",
  },
  {
    command: "certificates report",
    judges: "whether the chain change affects no certificate",
    notJudged: `${UNREAD}; a date or an acknowledgement that is not valid`,
  },
  {
    command: "rules check",
    flag: "--fail-on",
    judges: "whether rules have no mistakes, and no rule is without effect",
    notJudged: `${UNREAD}; a program or a file without rulesets; what a program or a preview does not tell of its rules`,
  },
  {
    command: "rules explain",
    judges: "whether the service accepts an expression",
    notJudged: "an empty expression",
  },
  {
    command: "rules try",
    judges: "whether the outcome of a request is known",
    notJudged: "an outcome that depends on what is not known here; a part of the rules that could not be read",
  },
  {
    command: "rules test",
    flag: "--coverage, --trace",
    judges: "whether rules do to requests what tests say",
    notJudged: "a file without tests; an outcome that is not known; a part of the rules that could not be read",
  },
  {
    command: "rules diff",
    flag: "--no-looser",
    judges: "whether an edit does not weaken enforcement",
    notJudged: "a difference that is not decided; a part of the rules that could not be read",
  },
  {
    command: "rules prove",
    judges: "whether invariants hold for all requests",
    notJudged:
      "an invariant that is not decided, or that applies to no zone; a part of the rules that could not be read",
  },
  {
    command: "rules replay run",
    flag: "--no-looser",
    judges: "whether enforcement does not weaken for recorded requests",
    notJudged:
      "a request whose treatment is not known; lines and files that could not be read; rate limits that were left out; no request at all",
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
    judges: "whether nothing weakens the protection of zones",
    notJudged: UNREAD,
  },
  {
    command: "report",
    flag: "--baseline",
    judges: "whether nothing got worse since an earlier report",
    notJudged: `a change whose effect is not known; ${UNREAD}; a report of another version`,
  },
  {
    command: "report",
    flag: "--invariants",
    judges: "whether invariants hold for all requests of zones",
    notJudged: `an invariant that is not decided, or that applies to no zone; ${UNREAD}`,
  },
  {
    command: "managed diff",
    flag: "--fail-on",
    judges: "whether managed rules do what the lock file says",
    notJudged: `${UNREAD}; a lock file of another version`,
  },
  {
    command: "summarize",
    flag: "--fail-on removed, weakened",
    judges: "whether a preview removes no rules, and weakens no protection",
    notJudged: "a preview that failed, or leaves something out; for weakened, a change whose effect is not known",
  },
  {
    command: "summarize",
    flag: "--fail-on drift",
    judges: "whether nothing changed outside the stacks",
    notJudged: "a preview that failed, or read nothing again",
  },
  {
    command: "summarize",
    flag: "--invariants",
    judges: "whether invariants hold for all requests after a preview",
    notJudged: "a preview that failed; an invariant that is not decided, or that applies to no zone",
  },
  {
    command: "drift",
    judges: "whether nothing changed outside the stacks",
    notJudged: "a resource or a state that could not be read; a state without resources of this package",
  },
  {
    command: "fleet plan",
    flag: "--fail-on",
    judges: "whether no shard has such a change",
    notJudged: "a shard that could not be previewed; zones that could not be listed",
  },
  {
    command: "fleet gate",
    judges: "whether the next wave may start",
    notJudged: "a gate that waits, or could not be judged; a shard that is not done",
  },
];

/** The table of all gates, in Markdown. */
export function gateTable(program: Command): string {
  const rows = GATES.map(({ command, flag, judges, notJudged }) => {
    const found = command
      .split(" ")
      .reduce<Command | undefined>((group, word) => group?.commands.find((one) => one.name() === word), program);
    if (found === undefined) throw new Error(`there is no command ${command}`);
    const call = `\`${command}${flag === undefined ? "" : ` ${flag}`}\``;
    return [call, judges, notJudged];
  });
  const lines = [["gate", "judges", "not judged, so not 0"], ["---", "---", "---"], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
