import type * as pulumi from "@pulumi/pulumi";
import type { CertificateAuthority } from "../certificates/authorities.js";
import type { ValidationRecord } from "../model/certificates.js";
import { CUSTOM_HOSTNAME_CA } from "../kinds/certificates/hostname-ca/description.js";
import { OwnResource } from "./own-resource.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import { isOfType } from "./ruleset-resource.js";

/** Arguments of {@link CustomHostnameCa}. */
export interface CustomHostnameCaArgs {
  /** The zone of the hostname. Changing it replaces the resource. */
  readonly zoneId: pulumi.Input<string>;
  /** ID of the custom hostname; excludes `hostname`. Changing it replaces the resource. */
  readonly customHostnameId?: pulumi.Input<string | undefined>;
  /**
   * Name of the custom hostname, which must be unique in the zone; excludes `customHostnameId`. Changing it replaces the
   * resource.
   */
  readonly hostname?: pulumi.Input<string | undefined>;
  /**
   * Which certificate authority issues the certificate. `""` is the service's default: the more compatible authority, or
   * Let's Encrypt if a CAA record forbids that one.
   */
  readonly certificateAuthority: pulumi.Input<CertificateAuthority | "" | (string & {})>;
  /** How control of the hostname is proved. @default the hostname's current method */
  readonly method?: pulumi.Input<"txt" | "http" | "email" | "cname" | undefined>;
  /** The type of validation. @default the hostname's current type, or else "dv" */
  readonly type?: pulumi.Input<"dv" | undefined>;
  /**
   * What deleting does: `keep` makes no request, `restore` restores the previous authority, `default` requests the service's
   * default. The last two issue a new certificate.
   * @default "keep"
   */
  readonly onDelete?: pulumi.Input<"keep" | "restore" | "default" | undefined>;
  /**
   * Longest wait for validation records after an edit, in seconds from 0 to 3600; 0 does not wait. Changing only this makes
   * no request.
   * @default 60
   */
  readonly validationTimeoutSeconds?: pulumi.Input<number | undefined>;
}

/**
 * Chooses the certificate authority of a custom hostname. Every edit with this API reissues the certificate, so no request
 * is made when nothing changed, and edits repeat the hostname's other settings so that they do not change. Returns as soon
 * as the validation records exist; {@link CustomHostnameCertificate} waits for the certificate.
 *
 * @example
 * ```ts
 * const ca = new CustomHostnameCa("shop", { zoneId, hostname: "shop.customer.com", certificateAuthority: "google" });
 * new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id });
 * ```
 */
export class CustomHostnameCa extends OwnResource {
  static readonly __pulumiType = typeToken(CUSTOM_HOSTNAME_CA.type);

  declare readonly zoneId: pulumi.Output<string>;
  /** Known in the preview. */
  declare readonly customHostnameId: pulumi.Output<string>;
  /** Known in the preview. */
  declare readonly hostname: pulumi.Output<string>;
  /** As declared. */
  declare readonly certificateAuthority: pulumi.Output<string>;
  /** The authority in use; empty when the service does not return it. */
  declare readonly effectiveCertificateAuthority: pulumi.Output<string>;
  /**
   * The authority in use before this stack chose one, even after the resource was renamed or replaced; empty when it is not
   * known.
   */
  declare readonly previousCertificateAuthority: pulumi.Output<string>;
  /** Such as `pending_validation` or `active`. */
  declare readonly sslStatus: pulumi.Output<string>;
  /** Status of the hostname itself. */
  declare readonly hostnameStatus: pulumi.Output<string>;
  /** Records to publish to prove control of the hostname. */
  declare readonly validationRecords: pulumi.Output<readonly ValidationRecord[]>;
  /** What the authority reports about the validation. */
  declare readonly validationErrors: pulumi.Output<readonly string[]>;

  constructor(name: string, args: CustomHostnameCaArgs, opts: pulumi.CustomResourceOptions = {}) {
    const prepared = prepareKind<typeof CUSTOM_HOSTNAME_CA, CustomHostnameCaArgs, CustomHostnameCa>(
      CUSTOM_HOSTNAME_CA,
      name,
      args,
      opts,
    );
    super(CustomHostnameCa.__pulumiType, name, prepared);
  }

  /**
   * Reads the certificate authority of a hostname that this program does not manage.
   * @param id `zones/<zoneId>/custom-hostnames/<id>/certificate-authority`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}): CustomHostnameCa {
    return new CustomHostnameCa(name, {} as CustomHostnameCaArgs, readOptions(CUSTOM_HOSTNAME_CA.type, name, id, opts));
  }

  /** Whether a value is a `CustomHostnameCa`, whichever copy of this package created it. */
  static override isInstance(value: unknown): value is CustomHostnameCa {
    return isOfType(value, CustomHostnameCa.__pulumiType);
  }
}
