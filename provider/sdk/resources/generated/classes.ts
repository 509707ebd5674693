// Generated from the descriptions in provider/kinds/ by `npm run generate`. Edit these instead.

import type * as pulumi from "@pulumi/pulumi";
import { CUSTOM_HOSTNAME_CA } from "../../../kinds/certificates/hostname-ca/description.js";
import { CUSTOM_HOSTNAME_CERTIFICATE } from "../../../kinds/certificates/hostname-certificate/description.js";
import { RULES_LIST } from "../../../kinds/lists/description.js";
import { TOTAL_TLS_CA } from "../../../kinds/certificates/total-tls/description.js";
import { isOfType, RulesetsResource } from "../rulesets-resource.js";
import { prepareKind, readOptions, typeToken } from "../prepare.js";
import type { CertificateAuthority } from "../../../../core/certificates/authorities.js";
import type { ValidationRecord } from "../../../../core/model/certificates.js";

/** Arguments of {@link CustomHostnameCa}. */
export interface CustomHostnameCaArgs {
  /** The zone of the hostname. Changing it replaces the resource. */
  readonly zoneId: pulumi.Input<string>;
  /** ID of the custom hostname; excludes `hostname`. Changing it replaces the resource. */
  readonly customHostnameId?: pulumi.Input<string | undefined>;
  /**
   * Name of the custom hostname, which must be unique in the zone; excludes `customHostnameId`. Changing it replaces
   * the resource.
   */
  readonly hostname?: pulumi.Input<string | undefined>;
  /**
   * Which certificate authority issues the certificate. `""` is the service's default: the more compatible authority,
   * or Let's Encrypt if a CAA record forbids that one.
   */
  readonly certificateAuthority: pulumi.Input<CertificateAuthority | "" | (string & {})>;
  /** How control of the hostname is proved. @default the hostname's current method */
  readonly method?: pulumi.Input<"txt" | "http" | "email" | "cname" | undefined>;
  /** The type of validation. @default the hostname's current type, or else "dv" */
  readonly type?: pulumi.Input<"dv" | undefined>;
  /**
   * What deleting does: `keep` makes no request, `restore` restores the previous authority, `default` requests the
   * service's default. The last two issue a new certificate.
   * @default "keep"
   */
  readonly onDelete?: pulumi.Input<"keep" | "restore" | "default" | undefined>;
  /**
   * Longest wait for validation records after an edit, in seconds from 0 to 3600; 0 does not wait. Changing only this
   * makes no request.
   * @default 60
   */
  readonly validationTimeoutSeconds?: pulumi.Input<number | undefined>;
}

/**
 * Chooses the certificate authority of a custom hostname. Every edit with this API reissues the certificate, so no
 * request is made when nothing changed, and edits repeat the hostname's other settings so that they do not change.
 * Returns as soon as the validation records exist; `CustomHostnameCertificate` waits for the certificate.
 *
 * @example
 * ```ts
 * const ca = new CustomHostnameCa("shop", { zoneId, hostname: "shop.customer.com", certificateAuthority: "google" });
 * new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id });
 * ```
 */
export class CustomHostnameCa extends RulesetsResource {
  static readonly __pulumiType = typeToken(CUSTOM_HOSTNAME_CA.type);

  /** The zone of the hostname. Changing it replaces the resource. */
  declare readonly zoneId: pulumi.Output<string>;
  /** Known in the preview. */
  declare readonly customHostnameId: pulumi.Output<string>;
  /** Known in the preview. */
  declare readonly hostname: pulumi.Output<string>;
  /** As declared. */
  declare readonly certificateAuthority: pulumi.Output<string>;
  /**
   * The authority in use before this stack chose one, even after the resource was renamed or replaced; empty when it is
   * not known.
   */
  declare readonly previousCertificateAuthority: pulumi.Output<string>;
  /** The authority in use; empty when the service does not return it. */
  declare readonly effectiveCertificateAuthority: pulumi.Output<string>;
  /** Such as `pending_validation` or `active`. */
  declare readonly sslStatus: pulumi.Output<string>;
  /** Status of the hostname itself. */
  declare readonly hostnameStatus: pulumi.Output<string>;
  /** Records to publish to prove control of the hostname. */
  declare readonly validationRecords: pulumi.Output<readonly ValidationRecord[]>;
  /** What the authority reports about the validation. */
  declare readonly validationErrors: pulumi.Output<readonly string[]>;

  constructor(name: string, args: CustomHostnameCaArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(CustomHostnameCa.__pulumiType, name, prepareKind(CUSTOM_HOSTNAME_CA, name, args, opts));
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

/** Arguments of {@link CustomHostnameCertificate}. */
export interface CustomHostnameCertificateArgs {
  /** The `id` of a `CustomHostnameCa`. Changing it replaces the resource. */
  readonly customHostnameCaId: pulumi.Input<string>;
  /** Longest wait in seconds. @default 1800 */
  readonly timeoutSeconds?: pulumi.Input<number | undefined>;
}

/**
 * Waits until the certificate of a custom hostname is active. It changes nothing. If the certificate fails or the
 * wait times out, the error lists the validation records to publish; the next `up` waits again.
 *
 * @example
 * ```ts
 * const records = ca.validationRecords.apply((list) => list.flatMap(({ txtName, txtValue }) => …));
 * new CustomHostnameCertificate("shop", { customHostnameCaId: ca.id }, { dependsOn: [dnsRecord] });
 * ```
 */
export class CustomHostnameCertificate extends RulesetsResource {
  static readonly __pulumiType = typeToken(CUSTOM_HOSTNAME_CERTIFICATE.type);

  /** The `id` of a `CustomHostnameCa`. Changing it replaces the resource. */
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
    super(CustomHostnameCertificate.__pulumiType, name, prepareKind(CUSTOM_HOSTNAME_CERTIFICATE, name, args, opts));
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
 * Chooses the authority of a zone's Total TLS. Writes repeat the current `enabled`, so they never turn Total TLS on
 * or off.
 *
 * @example
 * ```ts
 * new TotalTlsCa("tls", { zoneId, certificateAuthority: "google" });
 * ```
 */
export class TotalTlsCa extends RulesetsResource {
  static readonly __pulumiType = typeToken(TOTAL_TLS_CA.type);

  /** The zone. Changing it replaces the resource. */
  declare readonly zoneId: pulumi.Output<string>;
  /** Which authority issues the certificates that Total TLS orders from now on. There is no default to restore. */
  declare readonly certificateAuthority: pulumi.Output<string>;
  /** Whether Total TLS is on. */
  declare readonly enabled: pulumi.Output<boolean>;
  /**
   * The authority in use before this stack chose one, even after the resource was renamed or replaced; empty when it is
   * not known.
   */
  declare readonly previousCertificateAuthority: pulumi.Output<string>;
  /** Days. */
  declare readonly validityPeriod: pulumi.Output<number | undefined>;

  constructor(name: string, args: TotalTlsCaArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(TotalTlsCa.__pulumiType, name, prepareKind(TOTAL_TLS_CA, name, args, opts));
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

/** Arguments of {@link RulesList}, without those that depend on `kind`. */
export interface RulesListArgsOfAllKinds {
  /** The account. Changing it replaces the list. */
  readonly accountId: pulumi.Input<string>;
  /**
   * Its name in expressions, without the dollar sign: letters, digits and underscores. Changing it replaces the list.
   */
  readonly name: pulumi.Input<string>;
  /** Free text, at most 500 characters. @default that of the existing list, or none */
  readonly description?: pulumi.Input<string | undefined>;
  /**
   * A file with the items, relative to the folder of the program: `.csv` with a header of field names, `.json` with an
   * array as in `items`, or any other with a value on each line. Excludes `items`.
   */
  readonly itemsFile?: pulumi.Input<string | undefined>;
  /**
   * Which items the program manages. `exclusive`: every item of the list. `shared`: only its own, beside those of other
   * programs and people, which it never changes.
   * @default "exclusive"
   */
  readonly ownership?: pulumi.Input<"exclusive" | "shared" | undefined>;
  /**
   * What to do when a list of that name has other items: `fail` stops unless nothing would be lost, `adopt` takes it
   * over if the program contains every existing item, whatever the details, `replace` removes the others.
   * @default "fail"
   */
  readonly onExisting?: pulumi.Input<"fail" | "adopt" | "replace" | undefined>;
  /**
   * What to do when items were changed outside the stack since the last write. `RULESETS_ON_CONFLICT` overrides it for
   * one run.
   * @default "fail"
   */
  readonly onConflict?: pulumi.Input<"fail" | "overwrite" | undefined>;
  /**
   * What deleting does: `delete` deletes the list, `empty` removes the program's items, `keep` only removes it from the
   * state. A shared list cannot be deleted.
   * @default "delete", or "empty" for a shared list
   */
  readonly onDelete?: pulumi.Input<"delete" | "empty" | "keep" | undefined>;
  /**
   * Percentage of the items at the service that one run may remove; if it would remove more, the preview fails.
   * `RULESETS_MAX_REMOVED_PERCENT` overrides it for one run.
   * @default `rulesets:maxRemovedPercent`, or else 100
   */
  readonly maxRemovedPercent?: pulumi.Input<number | undefined>;
  /** Longest wait for a change of items, which the service carries out after it has answered. @default 600 */
  readonly timeoutSeconds?: pulumi.Input<number | undefined>;
}

/** Arguments of {@link RulesList}. */
export type RulesListArgs = RulesListArgsOfAllKinds &
  (
    | {
        /**
         * What its items are: `ip`, `redirect`, `hostname` or `asn`; items of a newer kind are in `wire`. Changing it
         * replaces the list.
         */
        readonly kind: pulumi.Input<"ip">;
        /** The items, in any order. An IP list: addresses and ranges. Excludes `itemsFile`. @default [] */
        readonly items?: pulumi.Input<
          readonly pulumi.Input<string | RulesListAddress | RulesListUnchecked>[] | undefined
        >;
      }
    | {
        /**
         * What its items are: `ip`, `redirect`, `hostname` or `asn`; items of a newer kind are in `wire`. Changing it
         * replaces the list.
         */
        readonly kind: pulumi.Input<"redirect">;
        /** The items, in any order. An IP list: addresses and ranges. Excludes `itemsFile`. @default [] */
        readonly items?: pulumi.Input<readonly pulumi.Input<RulesListRedirect | RulesListUnchecked>[] | undefined>;
      }
    | {
        /**
         * What its items are: `ip`, `redirect`, `hostname` or `asn`; items of a newer kind are in `wire`. Changing it
         * replaces the list.
         */
        readonly kind: pulumi.Input<"hostname">;
        /** The items, in any order. An IP list: addresses and ranges. Excludes `itemsFile`. @default [] */
        readonly items?: pulumi.Input<
          readonly pulumi.Input<string | RulesListHostname | RulesListUnchecked>[] | undefined
        >;
      }
    | {
        /**
         * What its items are: `ip`, `redirect`, `hostname` or `asn`; items of a newer kind are in `wire`. Changing it
         * replaces the list.
         */
        readonly kind: pulumi.Input<"asn">;
        /** The items, in any order. An IP list: addresses and ranges. Excludes `itemsFile`. @default [] */
        readonly items?: pulumi.Input<
          readonly pulumi.Input<string | number | RulesListAsn | RulesListUnchecked>[] | undefined
        >;
      }
    | {
        /**
         * What its items are: `ip`, `redirect`, `hostname` or `asn`; items of a newer kind are in `wire`. Changing it
         * replaces the list.
         */
        readonly kind: pulumi.Input<"ip" | "redirect" | "hostname" | "asn"> | pulumi.Output<string>;
        /** The items, in any order. An IP list: addresses and ranges. Excludes `itemsFile`. @default [] */
        readonly items?: pulumi.Input<readonly pulumi.Input<RulesListUnchecked>[] | undefined>;
      }
  );

/**
 * A list of an account, which the rules of all of its zones can refer to as `$name`, and the redirects of a bulk
 * redirect.
 *
 * @example
 * ```ts
 * const office = new RulesList("office", {
 *   accountId,
 *   name: "office",
 *   kind: "ip",
 *   items: ["192.0.2.0/24", { value: "198.51.100.7", comment: "Berlin" }],
 * });
 * ```
 */
export class RulesList extends RulesetsResource {
  static readonly __pulumiType = typeToken(RULES_LIST.type);

  /** The account. Changing it replaces the list. */
  declare readonly accountId: pulumi.Output<string>;
  /**
   * Its name in expressions, without the dollar sign: letters, digits and underscores. Changing it replaces the list.
   */
  declare readonly name: pulumi.Output<string>;
  /**
   * What its items are: `ip`, `redirect`, `hostname` or `asn`; items of a newer kind are in `wire`. Changing it
   * replaces the list.
   */
  declare readonly kind: pulumi.Output<string>;
  /** The service's ID of the list. */
  declare readonly listId: pulumi.Output<string>;
  /** Number of items at the service, including those of others. */
  declare readonly size: pulumi.Output<number>;

  constructor(name: string, args: RulesListArgs, opts: pulumi.CustomResourceOptions = {}) {
    super(RulesList.__pulumiType, name, prepareKind(RULES_LIST, name, args, opts));
  }

  /**
   * Reads a list that this program does not manage.
   * @param id `accounts/<accountId>/lists/<listId>`
   */
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}): RulesList {
    return new RulesList(name, {} as RulesListArgs, readOptions(RULES_LIST.type, name, id, opts));
  }

  /** Whether a value is a `RulesList`, whichever copy of this package created it. */
  static override isInstance(value: unknown): value is RulesList {
    return isOfType(value, RulesList.__pulumiType);
  }
}

/** An item of a list of the kind `ip`, with a comment. */
export interface RulesListAddress {
  /**
   * The IP address or range, the hostname, or the number of the autonomous system. For every kind except `redirect`.
   */
  readonly value: pulumi.Input<string>;
  /** At most 500 characters, shown in the dashboard. */
  readonly comment?: pulumi.Input<string | undefined>;
}

/** An item of a list as the service has it, which is sent as it is, and not checked. */
export interface RulesListUnchecked {
  /** Such as `{ ip: "192.0.2.1", comment: "Berlin" }`, under the names of the service. */
  readonly wire: pulumi.Input<Readonly<Record<string, unknown>>>;
}

/** A redirect of a list of the kind `redirect`. */
export interface RulesListRedirect {
  /** Of a redirect: the URL that is redirected, without a query string. */
  readonly source: pulumi.Input<string>;
  /** Of a redirect: where it leads, with a scheme. */
  readonly target: pulumi.Input<string>;
  /** Of a redirect: 301, 302, 307 or 308. @default 301 */
  readonly status?: pulumi.Input<number | undefined>;
  /** Of a redirect: also from subdomains. @default false */
  readonly includeSubdomains?: pulumi.Input<boolean | undefined>;
  /** Of a redirect with `subpathMatching`: appends the rest of the path to the target. @default true */
  readonly preservePathSuffix?: pulumi.Input<boolean | undefined>;
  /** Of a redirect: keeps the query string of the request. @default false */
  readonly preserveQueryString?: pulumi.Input<boolean | undefined>;
  /** Of a redirect: also from paths below the source. @default false */
  readonly subpathMatching?: pulumi.Input<boolean | undefined>;
  /** At most 500 characters, shown in the dashboard. */
  readonly comment?: pulumi.Input<string | undefined>;
}

/** An item of a list of the kind `hostname`, with its switch or a comment. */
export interface RulesListHostname {
  /**
   * The IP address or range, the hostname, or the number of the autonomous system. For every kind except `redirect`.
   */
  readonly value: pulumi.Input<string>;
  /** At most 500 characters, shown in the dashboard. */
  readonly comment?: pulumi.Input<string | undefined>;
  /** Of a hostname that begins with `*.`: without the domain itself. @default true */
  readonly excludeExactHostname?: pulumi.Input<boolean | undefined>;
}

/** An item of a list of the kind `asn`, with a comment. */
export interface RulesListAsn {
  /**
   * The IP address or range, the hostname, or the number of the autonomous system. For every kind except `redirect`.
   */
  readonly value: pulumi.Input<string | number>;
  /** At most 500 characters, shown in the dashboard. */
  readonly comment?: pulumi.Input<string | undefined>;
}
