import type * as pulumi from "@pulumi/pulumi";
import { PHASE_ENTRYPOINT } from "../../kinds/rulesets/description.js";
import { PhaseEntrypointOutputs, type PhaseEntrypointSettings } from "./generated/bases.js";
import { isOfType } from "./rulesets-resource.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import { deriveRules } from "./rule-outputs.js";
import type { InZoneOrAccount, SpelledPhase } from "./spelled-args.js";

/** Arguments of {@link PhaseEntrypoint}. The compiler reports a phase that is misspelled, and a missing zone or account. */
export type PhaseEntrypointArgs<P extends string = string> = InZoneOrAccount<PhaseEntrypointSettings> & SpelledPhase<P>;

/** Optional arguments of {@link PhaseEntrypoint.get}, in addition to the ID. */
export type PhaseEntrypointState = Partial<PhaseEntrypointSettings>;

/**
 * The ruleset attached to a phase of a zone or an account, addressed by the phase's name.
 *
 * @example
 * ```ts
 * new PhaseEntrypoint("waf", {
 *   zoneId,
 *   phase: "http_request_firewall_managed",
 *   rules: [{ action: "execute", expression: "true", actionParameters: { id: managedRulesets.cloudflareManaged } }],
 * });
 * ```
 */
export class PhaseEntrypoint<P extends string = string> extends PhaseEntrypointOutputs {
  static readonly __pulumiType = typeToken(PHASE_ENTRYPOINT.type);

  constructor(name: string, args: PhaseEntrypointArgs<P>, opts: pulumi.CustomResourceOptions = {}) {
    super(PhaseEntrypoint.__pulumiType, name, prepareKind(PHASE_ENTRYPOINT, name, args, opts));
    deriveRules(this);
  }

  /**
   * Reads an entry point that this program does not manage.
   * @param id `zones/<zoneId>/phases/<phase>`, or the same with `accounts/…`
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state: PhaseEntrypointState = {},
    opts: pulumi.CustomResourceOptions = {},
  ): PhaseEntrypoint {
    return new PhaseEntrypoint(name, state as PhaseEntrypointArgs, readOptions(PHASE_ENTRYPOINT.type, name, id, opts));
  }

  /** Whether a value is a `PhaseEntrypoint`, whichever copy of this package created it. */
  static override isInstance(value: unknown): value is PhaseEntrypoint {
    return isOfType(value, PhaseEntrypoint.__pulumiType);
  }
}
