import type * as pulumi from "@pulumi/pulumi";
import type { Phase } from "../model/generated/rule.js";
import type { AnyRule } from "./generated/inputs.js";
import { PHASE_ENTRYPOINT } from "../kinds/ruleset/description.js";
import { noteList } from "./declared-lists.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import { isOfType, RulesetResource, type OwnershipArgs } from "./ruleset-resource.js";
import type { InZoneOrAccount, Spelled } from "./spelled-args.js";

/** Arguments of {@link PhaseEntrypoint}. The compiler reports a phase or an action that is misspelled, and a missing zone or account. */
export type PhaseEntrypointArgs<
  P extends string = string,
  A extends string = string,
> = InZoneOrAccount<PhaseEntrypointSettings> & Spelled<P, A>;

/** The arguments one by one. */
export interface PhaseEntrypointSettings extends OwnershipArgs {
  /** Account whose entry point it is; excludes `zoneId`. Changing it replaces the entry point. */
  readonly accountId?: pulumi.Input<string | undefined>;
  /** Zone whose entry point it is; excludes `accountId`. Changing it replaces the entry point. */
  readonly zoneId?: pulumi.Input<string | undefined>;
  /** The phase. Changing it replaces the entry point. */
  readonly phase: pulumi.Input<Phase | (string & {})>;
  // An output that may be undefined is refused at preview. If it did not compile, it would be replaced with no rules.
  /** Rules in the order in which they run; `[]` explicitly means no rules. */
  readonly rules: pulumi.Input<readonly pulumi.Input<AnyRule>[] | undefined>;
  /** Free text. @default "" */
  readonly description?: pulumi.Input<string | undefined>;
  /** Name. @default "default", or the name of the existing entry point */
  readonly name?: pulumi.Input<string | undefined>;
}

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
export class PhaseEntrypoint<P extends string = string, A extends string = string> extends RulesetResource {
  static readonly __pulumiType = typeToken(PHASE_ENTRYPOINT.type);

  declare readonly name: pulumi.Output<string | undefined>;
  /** The service's ID of the ruleset. */
  declare readonly rulesetId: pulumi.Output<string>;

  constructor(name: string, args: PhaseEntrypointArgs<P, A>, opts: pulumi.CustomResourceOptions = {}) {
    super(
      PhaseEntrypoint.__pulumiType,
      name,
      prepareKind<typeof PHASE_ENTRYPOINT, PhaseEntrypointSettings, PhaseEntrypoint>(
        PHASE_ENTRYPOINT,
        name,
        args,
        opts,
      ),
    );
    noteList(this, args, opts);
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
