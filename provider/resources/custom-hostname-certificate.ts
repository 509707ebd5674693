import type * as pulumi from "@pulumi/pulumi";
import { CUSTOM_HOSTNAME_CERTIFICATE } from "../kinds/certificates/hostname-certificate/description.js";
import { OwnResource } from "./own-resource.js";
import { prepareKind, readOptions, typeToken } from "./prepare.js";
import { isOfType } from "./ruleset-resource.js";

/** Arguments of {@link CustomHostnameCertificate}. */
export interface CustomHostnameCertificateArgs {
  /** The `id` of a `CustomHostnameCa`. Changing it replaces the resource. */
  readonly customHostnameCaId: pulumi.Input<string>;
  /** Longest wait in seconds. @default 1800 */
  readonly timeoutSeconds?: pulumi.Input<number | undefined>;
}

/**
 * Waits until the certificate of a custom hostname is active. It changes nothing. If the certificate fails or the wait times
 * out, the error lists the validation records to publish; the next `up` waits again.
 *
 * @example
 * ```ts
 * const records = ca.validationRecords.apply((list) => list.flatMap(({ txtName, txtValue }) => …));
 * new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id }, { dependsOn: [dnsRecord] });
 * ```
 */
export class CustomHostnameCertificate extends OwnResource {
  static readonly __pulumiType = typeToken(CUSTOM_HOSTNAME_CERTIFICATE.type);

  declare readonly customHostnameCaId: pulumi.Output<string>;
  /** The name of the custom hostname. */
  declare readonly hostname: pulumi.Output<string>;
  /** `active` once the certificate is in use. */
  declare readonly sslStatus: pulumi.Output<string>;
  /** Status of the hostname itself. */
  declare readonly hostnameStatus: pulumi.Output<string>;
  /** The authority that issued it; empty when the service does not return it. */
  declare readonly certificateAuthority: pulumi.Output<string>;
  /** The issuer named in the certificate. */
  declare readonly issuer: pulumi.Output<string | undefined>;
  /** RFC 3339. */
  declare readonly expiresOn: pulumi.Output<string | undefined>;

  constructor(name: string, args: CustomHostnameCertificateArgs, opts: pulumi.CustomResourceOptions = {}) {
    const prepared = prepareKind<
      typeof CUSTOM_HOSTNAME_CERTIFICATE,
      CustomHostnameCertificateArgs,
      CustomHostnameCertificate
    >(CUSTOM_HOSTNAME_CERTIFICATE, name, args, opts);
    super(CustomHostnameCertificate.__pulumiType, name, prepared);
  }

  /**
   * Reads the certificate of a hostname that this program does not manage.
   * @param id `zones/<zoneId>/custom-hostnames/<id>/certificate`
   */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    opts: pulumi.CustomResourceOptions = {},
  ): CustomHostnameCertificate {
    return new CustomHostnameCertificate(
      name,
      {} as CustomHostnameCertificateArgs,
      readOptions(CUSTOM_HOSTNAME_CERTIFICATE.type, name, id, opts),
    );
  }

  /** Whether a value is a `CustomHostnameCertificate`, whichever copy of this package created it. */
  static override isInstance(value: unknown): value is CustomHostnameCertificate {
    return isOfType(value, CustomHostnameCertificate.__pulumiType);
  }
}
