import type { FleetPlan } from "../plan.js";
import { BACKEND_NOTE, FAIL_ON, stepCommand, gateScript, planScript, runShardScript } from "./shell.js";
import { gateStep, waveStep } from "./step-names.js";

const IMAGE = "node:22";

/** The parent pipeline of GitLab: it plans, writes the child pipeline, and starts it. */
export function toGitlab(): string {
  return `${[
    "# Written by: npx pulumi-rulesets fleet export gitlab",
    "# PULUMI_ACCESS_TOKEN and the tokens that fleet.yaml names are masked variables of the project.",
    ...BACKEND_NOTE,
    "stages: [plan, roll-out]",
    'workflow: { rules: [{ if: $CI_PIPELINE_SOURCE == "web" }] }',
    "variables:",
    `  FAIL_ON: { description: The plan fails on such a change, value: ${FAIL_ON[0] ?? ""}, options: [${FAIL_ON.join(", ")}] }`,
    "plan:",
    "  stage: plan",
    `  image: ${IMAGE}`,
    "  script:",
    ...INSTALL.map(item),
    item(planScript('"$FAIL_ON"')),
    item(`${stepCommand("export gitlab --child")} --output fleet-child.yml`),
    "  artifacts: { paths: [fleet-plan, fleet-child.yml] }",
    "roll-out:",
    "  stage: roll-out",
    "  variables: { PARENT_PIPELINE: $CI_PIPELINE_ID }",
    "  trigger:",
    "    strategy: depend",
    "    include: [{ artifact: fleet-child.yml, job: plan }]",
  ].join("\n")}\n`;
}

/** The child pipeline: a stage of shards and a stage of gates for each wave of a plan. */
export function toGitlabChild({ waves, shards }: FleetPlan): string {
  const used = waves.filter(({ name }) => shards.some(({ wave }) => wave === name));
  return `${[
    "# Written by: npx pulumi-rulesets fleet export gitlab --child",
    `stages: [fetch-plan, ${used.flatMap(({ name }) => [waveStep(name), gateStep(name)]).join(", ")}]`,
    "workflow: { rules: [{ when: always }] }",
    // A shard waits for the quota, and a gate for its time.
    `default: { image: ${IMAGE}, timeout: 6h, retry: { max: 2, when: runner_system_failure } }`,
    "fetch-plan:",
    "  stage: fetch-plan",
    "  needs: [{ pipeline: $PARENT_PIPELINE, job: plan }]",
    "  script: [test -f fleet-plan/plan.json]",
    "  artifacts: { paths: [fleet-plan] }",
    ".shard:",
    "  before_script:",
    ...INSTALL.map(item),
    "  script:",
    "    - |",
    ...runShardScript('"$SHARD"').map((line) => `      ${line}`),
    "  artifacts: { when: always, paths: [fleet-plan/results] }",
    // A failed shard does not end the roll-out: the gate counts it.
    "  allow_failure: { exit_codes: 3 }",
    ...used.flatMap(({ name, gates }) => {
      const isApproved = gates.some(({ kind }) => kind === "approval");
      return [
        ...shards
          .filter(({ wave }) => wave === name)
          .flatMap(({ id }) => [
            `${id}:`,
            "  extends: .shard",
            `  stage: ${waveStep(name)}`,
            `  variables: { SHARD: ${id} }`,
          ]),
        `${gateStep(name)}:`,
        `  stage: ${gateStep(name)}`,
        ...(isApproved ? ["  when: manual", "  allow_failure: false"] : []),
        "  script:",
        ...INSTALL.slice(0, 1).map(item),
        ...(isApproved ? [item(stepCommand(`approve ${name} --by "$GITLAB_USER_LOGIN"`))] : []),
        item(gateScript(name)),
        "  artifacts: { when: always, paths: [fleet-plan/gates, fleet-plan/approvals] }",
      ];
    }),
  ].join("\n")}\n`;
}

const INSTALL = ["npm ci", "curl -fsSL https://get.pulumi.com | sh", 'export PATH="$HOME/.pulumi/bin:$PATH"'];

/** A line of a script. */
function item(line: string): string {
  return /[:#"'{}[\]|&*!%@]/.test(line) ? `    - '${line.replaceAll("'", "''")}'` : `    - ${line}`;
}
