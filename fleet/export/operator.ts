import { DEFAULT_VARIABLE } from "../definition.js";
import { gateWords } from "../gates.js";
import type { FleetPlan, ShardPlan } from "../plan.js";

interface OperatorOptions {
  /** Address of the repository with the program. */
  readonly repository: string;
  readonly branch: string;
  /** Folder of the program in the repository. */
  readonly folder: string;
}

/**
 * `Stack` objects of the Pulumi Kubernetes Operator, one for each shard. A wave waits for the stacks of the one before it. The operator
 * runs `pulumi up` by itself: it compares nothing with the plan, and checks no gates.
 */
export function toOperator(plan: FleetPlan, shards: readonly ShardPlan[], options: OperatorOptions): string {
  const { settings } = plan.stacks;
  const names = plan.waves.map(({ name }) => name);
  const gates = plan.waves.flatMap(({ name, gates: own }) => own.map((gate) => `${name}: ${gateWords(gate)}`));
  return [
    "# Written by: npx pulumi-rulesets fleet export operator",
    "# The tokens and PULUMI_ACCESS_TOKEN are in secrets named as below.",
    ...gates.map((gate) => `# Not checked by the operator: the gate of ${gate}`),
    ...(settings === undefined
      ? []
      : [
          `# Not taken over: the settings and secrets of ${settings}. Add them to \`config\`, or as Pulumi.<stack>.yaml to the repository.`,
        ]),
    ...shards.map((shard) => {
      const before = names
        .slice(0, names.indexOf(shard.wave))
        .findLast((wave) => shards.some((one) => one.wave === wave));
      const waits = before === undefined ? [] : shards.filter(({ wave }) => wave === before);
      return stackObject(shard, waits, options);
    }),
    "",
  ].join("\n");
}

function stackObject(shard: ShardPlan, waits: readonly ShardPlan[], options: OperatorOptions): string {
  const token = shard.token ?? DEFAULT_VARIABLE;
  const secret = (name: string): object => ({ type: "Secret", secret: { name: "fleet", key: name } });
  const object = {
    apiVersion: "pulumi.com/v1",
    kind: "Stack",
    metadata: { name: objectName(shard), labels: { "fleet-wave": shard.wave } },
    spec: {
      stack: shard.stack,
      projectRepo: options.repository,
      branch: options.branch,
      repoDir: options.folder,
      config: { "fleet:zones": JSON.stringify(shard.zones) },
      envRefs: { PULUMI_ACCESS_TOKEN: secret("PULUMI_ACCESS_TOKEN"), RULESETS_API_TOKEN: secret(token) },
      ...(waits.length === 0 ? {} : { prerequisites: waits.map((one) => ({ name: objectName(one) })) }),
    },
  };
  return `---\n${JSON.stringify(object, undefined, 2)}`;
}

/** The name of a stack as Kubernetes takes it: lower-case letters, digits and `-`. It ends with the shard, so no two are equal. */
function objectName({ stack }: Pick<ShardPlan, "stack">): string {
  return stack
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "");
}
