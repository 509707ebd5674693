import type { Command } from "commander";

/** A command whose exit code lets a pipeline go on, or stops it. */
export interface Gate {
  /** The words that call it. */
  readonly command: string;
  /** The options that make it a gate, as they are typed. @default none: it always is one */
  readonly flag?: string;
  /** What 0 confirms. */
  readonly judges: string;
}

/** Every gate, in the order of the help. */
export const GATES: readonly Gate[] = [
  {
    command: "migration check",
    judges: "whether nothing blocks the migration of the zones",
  },
  {
    command: "migration plan",
    judges: "the same, and what each zone would get",
  },
  {
    command: "certificates report",
    judges: "whether the chain change affects no certificate",
  },
  {
    command: "rules check",
    flag: "--fail-on",
    judges: "whether rules have no mistakes, and no rule is without effect",
  },
  {
    command: "rules explain",
    judges: "whether the service accepts an expression",
  },
  {
    command: "rules try",
    judges: "whether the outcome of a request is known",
  },
  {
    command: "rules test",
    flag: "--coverage, --trace",
    judges: "whether rules do to requests what tests say",
  },
  {
    command: "rules diff",
    flag: "--no-looser",
    judges: "whether an edit does not weaken enforcement",
  },
  {
    command: "rules prove",
    judges: "whether invariants hold for all requests",
  },
  {
    command: "rules replay run",
    flag: "--no-looser",
    judges: "whether enforcement does not weaken for recorded requests",
  },
  {
    command: "rules replay merge",
    flag: "--no-looser",
    judges: "the same, for parts of a log",
  },
  {
    command: "report",
    flag: "--fail-on",
    judges: "whether nothing weakens the protection of zones",
  },
  {
    command: "report",
    flag: "--baseline",
    judges: "whether nothing got worse since an earlier report",
  },
  {
    command: "report",
    flag: "--invariants",
    judges: "whether invariants hold for all requests of zones",
  },
  {
    command: "managed diff",
    flag: "--fail-on",
    judges: "whether managed rules do what the lock file says",
  },
  {
    command: "summarize",
    flag: "--fail-on removed, weakened",
    judges: "whether a preview removes no rules, and weakens no protection",
  },
  {
    command: "summarize",
    flag: "--fail-on drift",
    judges: "whether nothing changed outside the stacks",
  },
  {
    command: "summarize",
    flag: "--invariants",
    judges: "whether invariants hold for all requests after a preview",
  },
  {
    command: "drift",
    judges: "whether nothing changed outside the stacks",
  },
  {
    command: "fleet plan",
    flag: "--fail-on",
    judges: "whether no shard has such a change",
  },
  {
    command: "fleet gate",
    judges: "whether the next wave may start",
  },
];

/** The table of all gates, in Markdown. */
export function gateTable(program: Command): string {
  const rows = GATES.map(({ command, flag, judges }) => {
    const found = command
      .split(" ")
      .reduce<Command | undefined>((group, word) => group?.commands.find((one) => one.name() === word), program);
    if (found === undefined) throw new Error(`there is no command ${command}`);
    const call = `\`${command}${flag === undefined ? "" : ` ${flag}`}\``;
    return [call, judges];
  });
  const lines = [["gate", "confirms"], ["---", "---"], ...rows];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
