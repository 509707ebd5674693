import type { Lifecycle } from "../../../provider/kinds/index.js";
import { findKind } from "../../../provider/kinds/index.js";
import { isList, isObject, omit, sameJson, type Json, type JsonObject } from "../../../core/model/json.js";
import { HIDDEN, hideWrapped, wrapSecretsAt } from "../../../core/model/secret.js";
import type { ProviderProcess } from "../../../provider/border/process.js";
import * as service from "../../../provider/border/service.js";
import { inKindForm } from "../../../provider/engine/schema-form.js";
import { asChecked } from "../../../provider/border/grpc/imported.js";
import { nameOfManaged } from "../managed-names.js";
import { REFRESH } from "../summarize/drift-steps.js";
import { changedValues } from "../summarize/rule-rows.js";
import { describeDrift, hasChanged } from "../summarize/summarize.js";
import type { OtherSummary, RulesetSummary } from "../summarize/summary.js";
import type { StateResource } from "./state.js";

const nameOf = nameOfManaged({});

/**
 * What others changed in a resource since its state was written; empty if nothing. Asks as a refresh of the engine does: it reads
 * the resource, and compares what was read with the inputs in the state. Throws if the resource or its state cannot be read.
 */
export async function findDrift(
  process: ProviderProcess,
  resource: StateResource,
): Promise<readonly (RulesetSummary | OtherSummary)[]> {
  const kind = findKind(resource.kind);
  if (kind === undefined) throw new Error(`this version of pulumi-rulesets has no resource type ${resource.kind}`);
  const { urn, id } = resource;
  const [inputs, shown] = [resource.inputs, resource.shown].map(
    (props) => asChecked(withoutHost(props)) as JsonObject,
  ) as [JsonObject, JsonObject];
  const outputs = inKindForm(kind.description, withoutHost(resource.outputs)) as JsonObject;
  const context = {
    nameOf,
    zoneNames: new Map<string, string>(),
    at: process.session().clock.now() / 1000,
  };
  const called = { process, kind, urn };
  // A refresh replaces a state that it cannot read, so it would find no difference; a comparison refuses it.
  await service.diff(called, { id, state: outputs, inputs, isForeign: false });
  const found = await service.read(called, id, outputs);
  // No program declares rules of others, even if a refresh has recorded them.
  const [declared, declaredShown] = [inputs, shown].map((props) => omit(props, ["foreignRules"])) as [
    JsonObject,
    JsonObject,
  ];
  const before = { id, inputs: declaredShown, outputs };
  if (found === undefined) return describeDrift({ op: REFRESH, urn, before, paths: [] }, context);
  const state = found.state.value;
  const now = found.inputs?.value ?? inputs;
  const nowShown = found.inputs === undefined ? shown : hidden(found.inputs);
  const change = await service.diff(called, { id, state, inputs: declared, isForeign: false });
  const isChanged = change.kind !== "none" && (!change.shownByInputs || !sameJson(declared, now));
  const notes = recordedEdits(outputs, state);
  if (!isChanged && notes.length === 0) return [];
  const paths = hiddenChanges({ before: declared, now, beforeShown: declaredShown, nowShown });
  const after = { id, inputs: nowShown, outputs: state };
  return describeDrift({ op: REFRESH, urn, before, after, paths }, context).map(({ effect, ...summary }) => ({
    ...withOutputs(summary, kind, outputs, state),
    ...(notes.length > 0 || effect === undefined ? {} : { effect }),
    notes: notes.length === 0 && isChanged && !hasChanged({ ...summary, effect }) ? [UNFINISHED] : notes,
  }));
}

/** Without what the host of dynamic resources adds: the line that loads the provider, and the URN. */
function withoutHost(props: JsonObject): JsonObject {
  return omit(props, ["__provider", "__urn"]);
}

function hidden({ value, secrets }: service.Plain): JsonObject {
  return hideWrapped(wrapSecretsAt(value, secrets)) as JsonObject;
}

const UNFINISHED = "The next `pulumi up` writes it: an earlier run did not finish.";

/**
 * The stack's own rules that were edited and that a refresh has recorded since: the state no longer has what was declared, so what
 * the edit does to requests is not known here.
 */
function recordedEdits(before: JsonObject, now: JsonObject): string[] {
  const recorded = Object.keys(isObject(before.__declared) ? before.__declared : {});
  const still = isObject(now.__declared) ? now.__declared : {};
  return recorded
    .filter((ref) => still[ref] !== undefined)
    .map(
      (ref) =>
        `Rule ${JSON.stringify(ref)} was edited before the last refresh, which recorded it; the next \`pulumi up\` undoes it, and ` +
        "`pulumi preview` shows what that does to requests.",
    );
}

/** A resource of another kind whose inputs are the same: what differs in its outputs. */
function withOutputs<T extends RulesetSummary | OtherSummary>(
  summary: T,
  kind: Lifecycle,
  before: JsonObject,
  after: JsonObject,
): T {
  if (summary.kind === "ruleset" || summary.fields.length > 0) return summary;
  const secret = new Set([...kind.secretPaths(before), ...kind.secretPaths(after)].map(([name]) => name));
  const visible = (props: JsonObject): JsonObject =>
    omit(
      props,
      Object.keys(props).filter((name) => name.startsWith("__") || secret.has(name)),
    );
  return { ...summary, fields: changedValues(visible(before), visible(after), nameOf) };
}

/** A value before and after, with and without secrets. */
interface Sides {
  readonly before: Json | undefined;
  readonly now: Json | undefined;
  readonly beforeShown: Json | undefined;
  readonly nowShown: Json | undefined;
}

/** The paths of secrets that differ, in the notation of the engine: both sides are shown as `[secret]`. */
function hiddenChanges({ before, now, beforeShown, nowShown }: Sides, at = ""): string[] {
  if (beforeShown === HIDDEN && nowShown === HIDDEN) return sameJson(before, now) ? [] : [at];
  if (isList(before) && isList(now) && isList(beforeShown) && isList(nowShown))
    return before.flatMap((item, index) =>
      hiddenChanges(
        { before: item, now: now[index], beforeShown: beforeShown[index], nowShown: nowShown[index] },
        `${at}[${String(index)}]`,
      ),
    );
  if (!isObject(before) || !isObject(now) || !isObject(beforeShown) || !isObject(nowShown)) return [];
  return Object.keys(before).flatMap((name) =>
    hiddenChanges(
      { before: before[name], now: now[name], beforeShown: beforeShown[name], nowShown: nowShown[name] },
      at === "" ? name : `${at}[${JSON.stringify(name)}]`,
    ),
  );
}
