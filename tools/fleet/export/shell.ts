import { DEFAULT_FOLDER, fleetCommand } from "../command-line.js";

/** How often a shard is tried: its exit code 3 means that another run may help. */
const ATTEMPTS = 3;

/** What an export cannot know. */
export const BACKEND_NOTE = [
  "# Add the variables that your backend and your secrets need, such as PULUMI_BACKEND_URL or PULUMI_CONFIG_PASSPHRASE,",
  "# and the credentials of the cloud that has them.",
];

/** What the plan of an exported rollout fails on: whoever starts it chooses. The first is the default. */
export const FAIL_ON = ["weakened", "removed", "never"];

/** Makes the plan. It fails if `fleet.lock.json` would change. */
export function planScript(failOn: string): string {
  return stepCommand(`plan --frozen --fail-on ${failOn}`);
}

/** A step, which has the folder of the plan where it looks for it. */
export function stepCommand(words: string): string {
  return `npx pulumi-rulesets ${fleetCommand(words, DEFAULT_FOLDER)}`;
}

/**
 * Runs a shard. A zone that moved fails neither this job nor the wave: the gate counts it. The orchestrator sees to it that nobody
 * else runs the shard.
 * @param id of the shard, or what the shell replaces by it
 */
export function runShardScript(id: string): readonly string[] {
  return [
    "code=3",
    `for attempt in ${Array.from({ length: ATTEMPTS }, (_, index) => String(index + 1)).join(" ")}; do`,
    "  if [ $code -eq 3 ]; then",
    "    code=0",
    `    ${stepCommand(`run-shard ${id} --take-over`)} || code=$?`,
    "  fi",
    "done",
    "if [ $code -eq 2 ]; then exit 0; fi",
    "exit $code",
  ];
}

/** Asks the gates of a wave, and waits for those that only need time. */
export function gateScript(wave: string): string {
  return stepCommand(`gate ${wave} --wait-up-to 5h`);
}
