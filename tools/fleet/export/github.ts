import { DEFAULT_VARIABLE, type FleetDefinition, type Token, type Wave } from "../definition.js";
import { BACKEND_NOTE, FAIL_ON, stepCommand, gateScript, planScript, runShardScript } from "./shell.js";

/** A workflow of GitHub Actions: a job for the plan, and for each wave a matrix of shards and a job for its gates. */
export function toGithub({ waves, tokens }: FleetDefinition): string {
  const secrets = secretsOf(tokens);
  return `${[
    "# Written by: npx pulumi-rulesets fleet export github",
    "# An approval is an environment `fleet-<wave>` with required reviewers.",
    ...BACKEND_NOTE,
    "# Add them to the steps that have PULUMI_ACCESS_TOKEN: no other step gets a secret.",
    "name: fleet",
    "on:",
    "  workflow_dispatch:",
    "    inputs:",
    `      fail-on: { description: The plan fails on such a change, type: choice, options: [${FAIL_ON.join(", ")}], default: ${FAIL_ON[0] ?? ""} }`,
    // To see who has approved.
    "permissions: { contents: read, actions: read }",
    "concurrency: { group: fleet, cancel-in-progress: false }",
    "jobs:",
    "  plan:",
    "    runs-on: ubuntu-latest",
    "    outputs:",
    ...waves.map(({ name }) => `      ${waveStep(name)}: \${{ steps.shards.outputs.${waveStep(name)} }}`),
    "    steps:",
    ...SETUP,
    `      - run: ${planScript('"$FAIL_ON"')}`,
    ...secrets,
    '          FAIL_ON: "${{ inputs.fail-on }}"',
    "      - id: shards",
    "        run: |",
    ...waves.map(
      ({ name }) =>
        `          echo "${waveStep(name)}=$(${stepCommand(`status --shards ${name}`)})" >> "$GITHUB_OUTPUT"`,
    ),
    ...upload("fleet-plan", "fleet-plan"),
    ...waves.flatMap((wave, index) =>
      waveJobs(wave, { before: index === 0 ? "plan" : gateStep(waves[index - 1]?.name ?? ""), secrets }),
    ),
  ].join("\n")}\n`;
}

/** The environment of a step that reads zones or runs the engine; more of it may follow. */
function secretsOf(tokens: readonly Token[]): readonly string[] {
  const names = ["PULUMI_ACCESS_TOKEN", ...tokens.map(({ variable }) => variable ?? DEFAULT_VARIABLE)];
  return ["        env:", ...names.map((name) => `          ${name}: \${{ secrets.${name} }}`)];
}

const SETUP = [
  "      - uses: actions/checkout@v5",
  "      - uses: actions/setup-node@v5",
  "        with: { node-version: 22, cache: npm }",
  "      - run: npm ci",
  "      - uses: pulumi/actions@v6",
];

const DOWNLOAD = [
  "      - uses: actions/download-artifact@v7",
  "        with: { pattern: fleet-*, path: fleet-plan, merge-multiple: true }",
];

function upload(name: string, path: string): string[] {
  return [
    "      - uses: actions/upload-artifact@v6",
    "        if: ${{ !cancelled() }}",
    `        with: { name: ${JSON.stringify(name)}, path: ${JSON.stringify(path)}, overwrite: true }`,
  ];
}

/** Records who let the job start. An environment that nobody has protected lets every job start. */
function approval(wave: string): string[] {
  const environment = `fleet-${wave}`;
  const approved = `.state == "approved" and any(.environments[]; .name == "${environment}")`;
  return [
    "      - shell: bash",
    '        env: { GH_TOKEN: "${{ github.token }}" }',
    "        run: |",
    `          by=$(gh api "repos/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID/approvals" --jq '[.[] | select(${approved}) | .user.login] | last // ""')`,
    `          if [ -z "$by" ]; then echo "no approval of the environment ${environment} is recorded. To continue: give it required reviewers, and let one of them approve; a bypass of its protection is no approval"; exit 3; fi`,
    `          ${stepCommand(`approve ${wave} --by "$by"`)}`,
  ];
}

interface WaveJobs {
  /** The job that the wave waits for. */
  readonly before: string;
  readonly secrets: readonly string[];
}

function waveJobs({ name, gates }: Wave, { before, secrets }: WaveJobs): string[] {
  const isApproved = gates.some(({ kind }) => kind === "approval");
  const id = waveStep(name);
  // A failed shard does not end the rollout: the gate counts it. Without words of its own, each job needs all before it.
  const goesOn = `!cancelled() && needs.${before}.result == 'success'`;
  return [
    `  ${id}:`,
    `    needs: [plan${before === "plan" ? "" : `, ${before}`}]`,
    // A wave without shards has no matrix; what comes after it goes on.
    `    if: \${{ ${goesOn} && needs.plan.outputs.${id} != '[]' }}`,
    "    runs-on: ubuntu-latest",
    "    strategy:",
    "      fail-fast: false",
    "      max-parallel: 4",
    `      matrix: { shard: "\${{ fromJSON(needs.plan.outputs.${id}) }}" }`,
    "    steps:",
    ...SETUP,
    ...DOWNLOAD,
    "      - shell: bash",
    ...secrets,
    '          SHARD: "${{ matrix.shard }}"',
    "        run: |",
    ...runShardScript('"$SHARD"').map((line) => `          ${line}`),
    ...upload("fleet-results-${{ matrix.shard }}", "fleet-plan/*results/${{ matrix.shard }}.json"),
    `  ${gateStep(name)}:`,
    `    needs: [plan, ${id}${before === "plan" ? "" : `, ${before}`}]`,
    `    if: \${{ ${goesOn} }}`,
    "    runs-on: ubuntu-latest",
    ...(isApproved ? [`    environment: fleet-${name}`] : []),
    "    steps:",
    ...SETUP,
    ...DOWNLOAD,
    ...(isApproved ? approval(name) : []),
    `      - run: ${gateScript(name)}`,
    ...secrets,
    ...upload(`fleet-gate-${name}`, `fleet-plan/*gates/${name}.json`),
  ];
}

// Names of jobs and outputs. They begin with a letter, and no wave has a name that makes two of them equal.

function waveStep(wave: string): string {
  return `wave-${wave}`;
}

function gateStep(wave: string): string {
  return `gate-${wave}`;
}
