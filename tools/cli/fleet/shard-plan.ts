import { checksumOf, foldChanges, type DescribedChange, type PlannedChange } from "../../fleet/changes.js";
import { unseenText } from "../../../provider/engine/plan-text.js";
import { stackOf, zoneNames, type ShardPlan } from "../../fleet/plan.js";
import type { StackNames } from "../../fleet/definition.js";
import { rulesetVersionIn } from "../../fleet/rollback.js";
import { omit, textOf } from "../../../core/model/json.js";
import { knownText } from "../../../core/model/unknown.js";
import { nameIn, ownType, typeIn } from "../../../core/model/urn.js";
import { isInfrastructure } from "../summarize/own-resource.js";
import { failuresIn, withoutLevel, type Preview, type Step } from "../summarize/preview.js";
import { summarize } from "../summarize/summarize.js";
import { weakensBy, type Summary } from "../summarize/summary.js";
import { resourceText } from "../summarize/text.js";

/** Steps that change something. */
const CHANGING = ["create", "update", "delete", "replace"];

interface ShardPreview {
  readonly shard: Pick<ShardPlan, "id" | "wave" | "token" | "zones" | "left">;
  readonly stacks: StackNames;
  readonly preview: Preview;
  /** In seconds since 1970. */
  readonly at: number;
}

/** The plan of a shard, from the preview of its stack. */
export function planShard({ shard, stacks, preview, at }: ShardPreview): ShardPlan {
  const { id, wave, token, zones, left = [] } = shard;
  const names = zoneNames(shard);
  const summary = summarize(preview, names, at);
  const steps = preview.steps.filter(({ op, urn }) => CHANGING.includes(op) && !isInfrastructure(urn));
  const failed = preview.diagnostics.filter(({ severity }) => severity === "error");
  const changes = steps.map((step) => plannedChange(step, preview, summary));
  return {
    version: 1,
    id,
    wave,
    stack: stackOf(stacks, shard),
    ...(token === undefined ? {} : { token }),
    zones,
    ...(left.length === 0 ? {} : { left }),
    changes,
    folded: foldChanges(
      changes.map((change) => describeChange(change, summary)),
      names,
    ),
    drift: summary.drift.length > 0,
    errors: [
      ...(failed.length > 0 ? failed.map(({ urn = "", message }) => errorText(urn, message)) : failuresIn(preview)),
      ...steps.flatMap((step) => notAsked(step, preview.plans)),
    ],
  };
}

/** An error of a preview, with the resource that it is about. */
export function errorText(urn: string, message: string): string {
  const name = ownType(urn) === undefined ? "" : `${nameIn(urn)}: `;
  // The engine says once more which resource it is.
  return `${name}${withoutLevel(message)
    .trim()
    .replace(/^\S+ resource '[^']*' has a problem: /, "")}`;
}

function plannedChange({ op, urn, before, after, paths }: Step, { plans }: Preview, summary: Summary): PlannedChange {
  const resource = summary.resources.find((one) => one.urn === urn);
  const { inputs = {}, id } = after ?? before ?? {};
  const plan = plans.get(urn);
  const planned = resource === undefined || resource.writes.length === 0 ? plan?.writes : resource.writes;
  // The engine asks nobody about resources of other packages.
  const writes = planned?.map(({ call }) => call) ?? [`${op} ${id ?? nameIn(urn)}`];
  const version = textOf(before?.outputs.version);
  const recorded = rulesetVersionIn(before?.outputs);
  return {
    urn,
    zoneId: knownText((after ?? before)?.inputs.zoneId),
    op,
    writes,
    ...(recorded === "" ? {} : { version: recorded }),
    ...(plan?.replaces === undefined ? {} : { found: plan.replaces }),
    checksum: checksumOf({ op, inputs: omit(inputs, ["__provider"]), paths: [...paths].sort(), writes, version }),
    weakens: resource === undefined ? "no" : weakensBy(resource),
    removes: (resource?.removes ?? "no") !== "no",
  };
}

function describeChange({ urn, zoneId, op, weakens }: PlannedChange, { resources }: Summary): DescribedChange {
  const resource = resources.find((one) => one.urn === urn);
  const text =
    resource === undefined ? `${op} ${typeIn(urn)} ${nameIn(urn)}` : resourceText({ ...resource, writes: [] });
  return { zoneId, weakens, lines: text.split("\n") };
}

/** What the preview could not ask the service about, and why. */
function notAsked({ op, urn }: Step, plans: Preview["plans"]): string[] {
  if (ownType(urn) === undefined || op === "delete") return [];
  const plan = plans.get(urn);
  if (plan === undefined) return [`${nameIn(urn)}: the preview does not say what it writes`];
  const notRead = plan.unseen.filter((one) => one !== "changes by others");
  return notRead.map((one) => `${nameIn(urn)}: ${unseenText(one)}`);
}
