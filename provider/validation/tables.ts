import actionTable from "../../schema/actions.json";
import phaseTable from "../../schema/phases.json";
import { mapFrom } from "../model/json.js";

/** Which parameters an action takes. See https://developers.cloudflare.com/ruleset-engine/rules-language/actions/. */
export interface ActionRules {
  readonly parameters: readonly string[];
  readonly required?: readonly string[];
  readonly atLeastOne?: boolean;
  readonly exactlyOne?: readonly string[];
  readonly incompatible?: readonly (readonly string[])[];
}

/**
 * Where a phase exists, and which actions its rules may have; `actions` is absent if they are not documented.
 * See https://developers.cloudflare.com/ruleset-engine/reference/phases-list/.
 */
interface PhaseRules {
  readonly levels: readonly string[];
  readonly product: string;
  readonly actions?: readonly string[];
  /** Actions of an account's entry point, if they differ. */
  readonly rootActions?: readonly string[];
}

export const ACTIONS = mapFrom<ActionRules>(Object.entries(actionTable));
export const PHASES = mapFrom<PhaseRules>(Object.entries(phaseTable));
export const ACTION_NAMES = Object.keys(ACTIONS);
export const PHASE_NAMES = Object.keys(PHASES);

/** Actions that are documented for at least one phase. For the others, no phase is documented. */
export const PLACED_ACTIONS = new Set(
  Object.values(PHASES).flatMap((phase) => [...(phase.actions ?? []), ...(phase.rootActions ?? [])]),
);
