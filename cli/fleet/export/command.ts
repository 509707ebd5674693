import { toArgo } from "../../../fleet/export/argo.js";
import { toGithub } from "../../../fleet/export/github.js";
import { toGitlab, toGitlabChild } from "../../../fleet/export/gitlab.js";
import { toOperator } from "../../../fleet/export/operator.js";
import { writeOutput } from "../../write-output.js";
import { planFolder, readDefinition, type FleetContext, type FleetOptions } from "../context.js";

export interface ExportOptions extends FleetOptions {
  readonly output?: string;
  /** For gitlab: the child pipeline of a plan. */
  readonly child?: boolean;
  /** For argo. */
  readonly image?: string;
  /** For operator. */
  readonly repository?: string;
  readonly branch: string;
}

/** Writes the roll-out of a fleet for another orchestrator; 2 if that cannot do all of it. */
export function runExport(
  target: "github" | "gitlab" | "argo" | "operator",
  options: ExportOptions,
  { print }: FleetContext,
): 0 | 2 {
  const definition = readDefinition(options);
  const write = (text: string): void => {
    writeOutput(text.trimEnd(), options, print);
  };
  switch (target) {
    case "github":
      write(toGithub(definition));
      return 0;
    case "gitlab":
      write(options.child === true ? toGitlabChild(planFolder(options).plan()) : toGitlab());
      return 0;
    case "argo":
      if (options.image === undefined)
        throw new Error("--image is required: an image with the repository, Node and pulumi");
      write(toArgo(definition, options.image));
      return 0;
    case "operator": {
      const { repository, branch } = options;
      if (repository === undefined)
        throw new Error("--repository is required: the address of the repository with the program");
      const folder = planFolder(options);
      const plan = folder.plan();
      const shards = plan.shards.map(({ id }) => folder.shard(plan, id));
      write(toOperator(plan, shards, { repository, branch, folder: plan.program }));
      const isLess = plan.waves.some(({ gates }) => gates.length > 0) || plan.stacks.settings !== undefined;
      return isLess ? 2 : 0;
    }
  }
}
