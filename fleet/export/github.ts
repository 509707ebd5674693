import type { FleetDefinition, Token, Wave } from "../definition.js";
import { fleetCommand, gateScript, runShardScript } from "./shell.js";

/** A workflow of GitHub Actions: a job for the plan, and for each wave a matrix of shards and a job for its gates. */
export function toGithub({ waves, tokens }: FleetDefinition): string {
  const variables = tokens.map(({ variable }: Token) => variable ?? "CLOUDFLARE_API_TOKEN");
  return `${[
    "# Written by: npx pulumi-rulesets fleet export github",
    "# An approval is an environment `fleet-<wave>` with required reviewers.",
    "name: fleet",
    "on: workflow_dispatch",
    "permissions: { contents: read }",
    "concurrency: { group: fleet, cancel-in-progress: false }",
    "env:",
    "  PULUMI_ACCESS_TOKEN: ${{ secrets.PULUMI_ACCESS_TOKEN }}",
    ...variables.map((name) => `  ${name}: \${{ secrets.${name} }}`),
    "jobs:",
    "  plan:",
    "    runs-on: ubuntu-latest",
    "    outputs:",
    ...waves.map(({ name }) => `      ${name}: \${{ steps.shards.outputs.${name} }}`),
    "    steps:",
    ...SETUP,
    `      - run: ${fleetCommand("plan --frozen --fail-on weakened")}`,
    "      - id: shards",
    "        run: |",
    ...waves.map(
      ({ name }) => `          echo "${name}=$(${fleetCommand(`status --shards ${name}`)})" >> "$GITHUB_OUTPUT"`,
    ),
    ...upload("fleet-plan", "fleet-plan"),
    ...waves.flatMap((wave, index) => waveJobs(wave, index === 0 ? "plan" : `${waves[index - 1]?.name ?? ""}-gate`)),
  ].join("\n")}\n`;
}

const SETUP = [
  "      - uses: actions/checkout@v4",
  "      - uses: actions/setup-node@v4",
  "        with: { node-version: 22, cache: npm }",
  "      - run: npm ci",
  "      - uses: pulumi/actions@v6",
];

const DOWNLOAD = [
  "      - uses: actions/download-artifact@v4",
  "        with: { pattern: fleet-*, path: fleet-plan, merge-multiple: true }",
];

function upload(name: string, path: string): string[] {
  return [
    "      - uses: actions/upload-artifact@v4",
    "        if: ${{ !cancelled() }}",
    `        with: { name: ${JSON.stringify(name)}, path: ${JSON.stringify(path)}, overwrite: true }`,
  ];
}

function waveJobs({ name, gates }: Wave, before: string): string[] {
  const isApproved = gates.some(({ kind }) => kind === "approval");
  return [
    `  ${name}:`,
    `    needs: [plan${before === "plan" ? "" : `, ${before}`}]`,
    // A wave without shards has no matrix; what comes after it goes on.
    `    if: \${{ !failure() && !cancelled() && needs.plan.outputs.${name} != '[]' }}`,
    "    runs-on: ubuntu-latest",
    "    strategy:",
    "      fail-fast: false",
    "      max-parallel: 4",
    `      matrix: { shard: "\${{ fromJSON(needs.plan.outputs.${name}) }}" }`,
    "    steps:",
    ...SETUP,
    ...DOWNLOAD,
    "      - shell: bash",
    '        env: { SHARD: "${{ matrix.shard }}" }',
    "        run: |",
    ...runShardScript('"$SHARD"').map((line) => `          ${line}`),
    ...upload("fleet-results-${{ matrix.shard }}", "fleet-plan/*results/${{ matrix.shard }}.json"),
    `  ${name}-gate:`,
    `    needs: [plan, ${name}${before === "plan" ? "" : `, ${before}`}]`,
    "    if: ${{ !failure() && !cancelled() }}",
    "    runs-on: ubuntu-latest",
    ...(isApproved ? [`    environment: fleet-${name}`] : []),
    "    steps:",
    ...SETUP,
    ...DOWNLOAD,
    ...(isApproved ? [`      - run: ${fleetCommand(`approve ${name} --by "$GITHUB_ACTOR"`)}`] : []),
    `      - run: ${gateScript(name)}`,
    ...upload(`fleet-gate-${name}`, `fleet-plan/*gates/${name}.json`),
  ];
}
