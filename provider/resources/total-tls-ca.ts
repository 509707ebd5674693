import type * as pulumi from "@pulumi/pulumi";
import type { CertificateAuthority } from "../certificates/authorities.js";
import { TOTAL_TLS_CA } from "../kinds/certificates/total-tls/description.js";
import { OwnResource } from "./own-resource.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import { isOfType } from "./ruleset-resource.js";

/** Arguments of {@link TotalTlsCa}. */
export interface TotalTlsCaArgs {
  /** The zone. Changing it replaces the resource. */
  readonly zoneId: pulumi.Input<string>;
  /** Which authority issues the certificates that Total TLS orders from now on. There is no default to restore. */
  readonly certificateAuthority: pulumi.Input<Exclude<CertificateAuthority, "digicert"> | (string & {})>;
  /** What deleting does: nothing, or restore the previous authority. @default "keep" */
  readonly onDelete?: pulumi.Input<"keep" | "restore" | undefined>;
}

/**
 * Chooses the authority of a zone's Total TLS. Writes repeat the current `enabled`, so they never turn Total TLS on or off.
 *
 * @example
 * ```ts
 * new TotalTlsCa("tls", { zoneId, certificateAuthority: "google" });
 * ```
 */
export class TotalTlsCa extends OwnResource {
  static readonly __pulumiType = typeToken(TOTAL_TLS_CA.type);

  declare readonly zoneId: pulumi.Output<string>;
  declare readonly certificateAuthority: pulumi.Output<string>;
  /** Whether Total TLS is on. */
  declare readonly enabled: pulumi.Output<boolean>;
  /**
   * The authority in use before this stack chose one, even after the resource was renamed or replaced; empty when it is not
   * known.
   */
  declare readonly previousCertificateAuthority: pulumi.Output<string>;
  /** Days. */
  declare readonly validityPeriod: pulumi.Output<number | undefined>;

  constructor(name: string, args: TotalTlsCaArgs, opts: pulumi.CustomResourceOptions = {}) {
    const prepared = prepareKind<typeof TOTAL_TLS_CA, TotalTlsCaArgs, TotalTlsCa>(TOTAL_TLS_CA, name, args, opts);
    super(TotalTlsCa.__pulumiType, name, prepared);
  }

  /**
   * Reads the authority of a zone that this program does not manage.
   * @param id `zones/<zoneId>/total-tls`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}): TotalTlsCa {
    return new TotalTlsCa(name, {} as TotalTlsCaArgs, readOptions(TOTAL_TLS_CA.type, name, id, opts));
  }

  /** Whether a value is a `TotalTlsCa`, whichever copy of this package created it. */
  static override isInstance(value: unknown): value is TotalTlsCa {
    return isOfType(value, TotalTlsCa.__pulumiType);
  }
}
