import { formatDuration } from "../../core/model/words.js";
import { fleetCommand } from "./command-line.js";
import type { Gate } from "./definition.js";
import type { ShardPlan } from "./plan.js";
import type { Approval, CheckedGate, GateVerdict, ShardResult } from "./results.js";

/** A gate as the definition has it: `prove: invariants`. */
export function gateWords(gate: Gate): string {
  switch (gate.kind) {
    case "prove":
    case "test":
      return `${gate.kind}: ${gate.files.join(", ")}`;
    case "summarize":
      return `summarize: ${gate.failOn}`;
    case "run":
      return `run: ${gate.command}`;
    case "wait":
      return `wait: ${formatDuration(gate.seconds * 1000)}`;
    case "approval":
      return `approval: ${gate.of}`;
  }
}

/** The verdict that the exit code of a command means: its 2 is a no, and anything else than 0 and 2 no answer. */
export function verdictOfCode(code: number | undefined): GateVerdict {
  return code === 0 ? "passed" : code === 2 ? "no" : "unknown";
}

/** A gate that waits from the end of the wave's last shard. */
export function checkWait(
  gate: Gate & { readonly kind: "wait" },
  results: readonly ShardResult[],
  now: number,
): CheckedGate {
  const last = Math.max(...results.map(({ endedAt }) => (endedAt === undefined ? now : Date.parse(endedAt))));
  const left = last + gate.seconds * 1000 - now;
  return left <= 0
    ? { gate: gateWords(gate), verdict: "passed", words: "the time is over" }
    : {
        gate: gateWords(gate),
        verdict: "waiting",
        words: `${formatDuration(left)} to go`,
        retryAt: new Date(now + left).toISOString(),
      };
}

export function checkApproval(
  gate: Gate & { readonly kind: "approval" },
  approval: Approval | undefined,
  { wave, folder }: { readonly wave: string; readonly folder: string },
): CheckedGate {
  return approval === undefined
    ? {
        gate: gateWords(gate),
        verdict: "waiting",
        words: `nobody has approved it. To continue: npx pulumi-rulesets ${fleetCommand(`approve ${wave} --by <name>`, folder)}`,
      }
    : { gate: gateWords(gate), verdict: "passed", words: `approved by ${approval.by} at ${approval.at}` };
}

/**
 * Judges the saved plans of the wave that comes next, as `summarize --fail-on` judges a preview.
 * @param refreshed whether the plan has read every zone again; otherwise, nobody has looked for changes by others
 */
export function checkNextWave(
  gate: Gate & { readonly kind: "summarize" },
  next: readonly ShardPlan[],
  refreshed: boolean,
): CheckedGate {
  const failed = next.filter(({ errors }) => errors.length > 0).map(({ id }) => id);
  const unseen =
    gate.failOn === "drift" && !refreshed && next.length > 0
      ? "the plan was made without --refresh, so it does not know what others changed"
      : failed.length > 0
        ? `${failed.join(", ")} could not be previewed when the plan was made`
        : undefined;
  const isBad = ({ changes, drift }: ShardPlan): boolean => {
    switch (gate.failOn) {
      case "drift":
        return drift;
      case "removed":
        return changes.some(({ removes }) => removes);
      case "weakened":
        return changes.some(({ weakens }) => weakens !== "no");
    }
  };
  const bad = next.filter(isBad).map(({ id }) => id);
  if (bad.length === 0 && unseen !== undefined)
    return { gate: gateWords(gate), verdict: "unknown", words: `${unseen}. To continue: make a new plan` };
  return bad.length === 0
    ? { gate: gateWords(gate), verdict: "passed", words: `no shard of the next wave has it` }
    : { gate: gateWords(gate), verdict: "no", words: `the next wave has it in ${bad.join(", ")}` };
}
