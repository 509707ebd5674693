import { DEFAULT_VARIABLE, type FleetDefinition, type Token, type Wave } from "../definition.js";
import { BACKEND_NOTE, FAIL_ON, stepCommand, gateScript, planScript } from "./shell.js";
import { gateStep, waveStep } from "./step-names.js";

/**
 * A Workflow of Argo: a step for the plan, and for each wave its shards and its gates. The folder of the plan is on a volume that all
 * pods share. The image has Node, the `pulumi` command and the repository with its packages, in its working directory.
 */
export function toArgo({ waves, tokens }: FleetDefinition, image: string): string {
  const container = (script: readonly string[], env: readonly string[] = []): string[] => [
    "      script:",
    `        image: ${JSON.stringify(image)}`,
    "        command: [sh]",
    ...env,
    "        volumeMounts: [{ name: plan, mountPath: /fleet }]",
    "        source: |",
    "          mkdir -p /fleet/plan && ln -sfn /fleet/plan fleet-plan",
    ...script.map((line) => `          ${line}`),
  ];
  const secrets = secretsOf(tokens);
  return `${[
    "# Written by: npx pulumi-rulesets fleet export argo",
    "# The tokens are in a secret `fleet`. An approval is `argo resume`.",
    ...BACKEND_NOTE,
    "apiVersion: argoproj.io/v1alpha1",
    "kind: Workflow",
    "metadata: { generateName: fleet- }",
    "spec:",
    "  entrypoint: roll-out",
    "  parallelism: 4",
    `  arguments: { parameters: [{ name: fail-on, value: ${FAIL_ON[0] ?? ""}, enum: [${FAIL_ON.join(", ")}] }] }`,
    "  volumeClaimTemplates:",
    "    - metadata: { name: plan }",
    "      spec: { accessModes: [ReadWriteMany], resources: { requests: { storage: 1Gi } } }",
    "  templates:",
    "    - name: roll-out",
    "      steps:",
    "        - [{ name: plan, template: plan }]",
    ...waves.flatMap(waveSteps),
    "    - name: plan",
    ...container([planScript("{{workflow.parameters.fail-on}}")], secrets),
    "    - name: shards",
    "      inputs: { parameters: [{ name: wave }] }",
    ...container([stepCommand("status --shards {{inputs.parameters.wave}}")]),
    "    - name: shard",
    "      inputs: { parameters: [{ name: id }] }",
    // Its exit code 3 means that another run may help. A zone that moved (2) does not fail the wave: the gate counts it.
    '      retryStrategy: { limit: "3", expression: "asInt(lastRetry.exitCode) == 3" }',
    ...container(
      [
        "code=0",
        `${stepCommand("run-shard {{inputs.parameters.id}} --take-over")} || code=$?`,
        "if [ $code -eq 2 ]; then exit 0; fi",
        "exit $code",
      ],
      secrets,
    ),
    "    - name: gate",
    "      inputs: { parameters: [{ name: wave }] }",
    ...container([gateScript("{{inputs.parameters.wave}}")], secrets),
    "    - name: approval",
    "      suspend: {}",
    "    - name: approve",
    "      inputs: { parameters: [{ name: wave }] }",
    ...container([stepCommand("approve {{inputs.parameters.wave}} --by 'argo resume'")]),
  ].join("\n")}\n`;
}

/** The environment of what reads zones or runs the engine. */
function secretsOf(tokens: readonly Token[]): readonly string[] {
  const from = (name: string, more = ""): string =>
    `          - { name: ${name}, valueFrom: { secretKeyRef: { name: fleet, key: ${name}${more} } } }`;
  return [
    "        env:",
    from("PULUMI_ACCESS_TOKEN", ", optional: true"),
    ...tokens.map(({ variable }) => from(variable ?? DEFAULT_VARIABLE)),
  ];
}

/** No wave has a name that makes two of its steps equal. */
function waveSteps({ name, gates }: Wave): string[] {
  const wave = `arguments: { parameters: [{ name: wave, value: ${name} }] }`;
  const isApproved = gates.some(({ kind }) => kind === "approval");
  return [
    `        - [{ name: shards-${name}, template: shards, ${wave} }]`,
    `        - - name: ${waveStep(name)}`,
    "            template: shard",
    `            withParam: "{{steps.shards-${name}.outputs.result}}"`,
    '            arguments: { parameters: [{ name: id, value: "{{item}}" }] }',
    "            continueOn: { failed: true }",
    ...(isApproved
      ? [
          `        - [{ name: approval-${name}, template: approval }]`,
          `        - [{ name: approve-${name}, template: approve, ${wave} }]`,
        ]
      : []),
    `        - [{ name: ${gateStep(name)}, template: gate, ${wave} }]`,
  ];
}
