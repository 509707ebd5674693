import { DEFAULT_VARIABLE, type FleetDefinition, type Token, type Wave } from "../definition.js";

/** A workflow of GitHub Actions: a job for the plan, and for each wave a matrix of shards and a job for its gates. */
export function toGithub({ waves, tokens }: FleetDefinition): string {
  const secrets = secretsOf(tokens);
  return `${[
    "# Written by: npx pulumi-rulesets fleet export github",
    "# An approval is an environment `fleet-<wave>` with required reviewers.",
    "# Add the variables that your backend and your secrets need, such as PULUMI_BACKEND_URL or PULUMI_CONFIG_PASSPHRASE,",
    "# and the credentials of the cloud that has them.",
    "# Add them to the steps that have PULUMI_ACCESS_TOKEN: no other step gets a secret.",
    "name: fleet",
    "on:",
    "  workflow_dispatch:",
    "    inputs:",
    "      fail-on: { description: The plan fails on such a change, type: choice, options: [weakened, removed, never], default: weakened }",
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
    `      - run: ${FLEET} plan --frozen --fail-on "$FAIL_ON"`,
    ...secrets,
    '          FAIL_ON: "${{ inputs.fail-on }}"',
    "      - id: shards",
    "        run: |",
    ...waves.map(
      ({ name }) => `          echo "${waveStep(name)}=$(${FLEET} status --shards ${name})" >> "$GITHUB_OUTPUT"`,
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

/** The commands of a fleet, which have the folder of the plan where they look for it. */
const FLEET = "npx pulumi-rulesets fleet";

/**
 * Runs a shard up to three times: its exit code 3 means that another run may help. A zone that moved fails neither this job nor the
 * wave: the gate counts it. GitHub sees to it that nobody else runs the shard.
 */
const RUN_SHARD = [
  "code=3",
  "for attempt in 1 2 3; do",
  "  if [ $code -eq 3 ]; then",
  "    code=0",
  `    ${FLEET} run-shard "$SHARD" --take-over || code=$?`,
  "  fi",
  "done",
  "if [ $code -eq 2 ]; then exit 0; fi",
  "exit $code",
];

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
    `          ${FLEET} approve ${wave} --by "$by"`,
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
    ...RUN_SHARD.map((line) => `          ${line}`),
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
    // Waits for gates that only need time.
    `      - run: ${FLEET} gate ${name} --wait-up-to 5h`,
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
