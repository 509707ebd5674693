import type { StateOfResource } from "../../../core/invariants/states.js";
import { nameIn } from "../../../core/model/urn.js";
import type { ResourceState, Step } from "./preview.js";

/** What resources were before the steps of a preview. */
export function statesBefore(steps: readonly Step[]): readonly StateOfResource[] {
  const first = new Map(
    [...steps].reverse().flatMap(({ urn, before }) => (before === undefined ? [] : [[urn, before]])),
  );
  return Array.from(first, ([urn, state]) => stateOf(urn, state));
}

/** What they will be after them. A replacement consists of several steps; what is created by one of them stays. */
export function statesAfter(steps: readonly Step[]): readonly StateOfResource[] {
  const last = new Map<string, ResourceState>();
  for (const { urn, op, after } of steps) if (after !== undefined && !op.startsWith("delete")) last.set(urn, after);
  return Array.from(last, ([urn, state]) => stateOf(urn, state));
}

/** Inputs are what `up` will write; outputs have the IDs by which rulesets refer to each other. */
function stateOf(urn: string, { inputs, outputs, newZone }: ResourceState): StateOfResource {
  return { name: nameIn(urn), properties: { ...outputs, ...inputs }, ...(newZone === undefined ? {} : { newZone }) };
}
