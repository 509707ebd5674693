import { text } from "../body.js";
import type { ApiResult, Body, Query } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { invalidValue, refuse } from "../failure.js";
import { ownValue } from "../lookup.js";
import { uuidOf } from "../store/ids.js";
import type { Store } from "../store/store.js";
import { checkOrder, checkPack, checkVerification } from "./bodies.js";
import { datesOf, delegationRecords, issuerOf, statusOf, validationErrors, validationRecords } from "./life-cycle.js";
import type { Pack } from "./model.js";
import type { StoredCertificates } from "./stored.js";

/** The number of advanced packs per zone. The service has such a quota; its size is a guess. */
const QUOTA = 100;

/** Days by authority, beside a year: https://developers.cloudflare.com/ssl/reference/certificate-validity-periods/ */
const VALIDITY: Readonly<Record<string, readonly number[]>> = {
  google: [14, 30, 90],
  lets_encrypt: [90],
  ssl_com: [14, 30, 90],
};
const YEAR = 365;

/** Certificate packs with their life cycle and validation. */
export class PacksService {
  constructor(
    private readonly store: Store,
    private readonly stored: StoredCertificates,
    private readonly clock: EmulatorClock,
  ) {}

  /** Active packs, and all of them with `status=all`. */
  list(zone: string, query: Query): ApiResult[] {
    const all = this.stored.packsIn(zone).map((pack) => this.toResult(zone, pack));
    return query.status === "all" ? all : all.filter(({ status }) => status === "active");
  }

  get(zone: string, id: string): ApiResult {
    const found = this.find(zone, id);
    const { issuance } = found;
    if (issuance !== undefined) this.put(zone, { ...found, issuance: { ...issuance, reads: issuance.reads + 1 } });
    return this.toResult(zone, found);
  }

  quota(zone: string): ApiResult {
    const used = this.stored.packsIn(zone).filter(({ type }) => type === "advanced").length;
    return { advanced: { allocated: QUOTA, used } };
  }

  order(zone: string, sent: Body): ApiResult {
    const body = checkOrder(sent);
    this.checkHosts(zone, body.hosts as readonly string[]);
    this.checkValidity(zone, body);
    const pack: Pack = {
      ...body,
      id: uuidOf(this.store.ids.next()),
      issuance: { since: this.clock.now(), reads: 0 },
      round: 1,
    };
    this.put(zone, pack);
    return this.toResult(zone, pack);
  }

  /** Restarts validation, or adds branding; nothing else of a pack can be edited. */
  update(zone: string, id: string, sent: Body): ApiResult {
    return this.toResult(zone, this.restart(zone, id, checkPack(sent)));
  }

  delete(zone: string, id: string): { id: string } {
    const found = this.find(zone, id);
    if (found.type === "universal") throw refuse(400, 1301, "Universal SSL packs cannot be deleted");
    this.stored.deletePack(zone, id);
    return { id };
  }

  /** The validation status of each pack; verifications use their own names for it. */
  verifications(zone: string): ApiResult[] {
    return this.stored.packsIn(zone).map((pack) => {
      const status = this.statusOf(zone, pack);
      return {
        brand_check: false,
        cert_pack_uuid: pack.id,
        certificate_status: ownValue(VERIFICATION, status) ?? "active",
        signature: "ECDSAWithSHA256",
        validation_method: pack.validation_method ?? "txt",
        verification_status: status === "active",
        verification_type: "cname",
      };
    });
  }

  /** Revalidates a pack with another method. */
  verify(zone: string, id: string, sent: Body): ApiResult {
    const { validation_method } = this.restart(zone, id, checkVerification(sent));
    return { validation_method, status: this.statusOf(zone, this.find(zone, id)) };
  }

  private restart(zone: string, id: string, change: Body): Pack {
    const { status: _status, certificates: _certificates, ...found } = this.find(zone, id);
    const issuance = { since: this.clock.now(), reads: 0 };
    const changed: Pack = { ...found, ...change, id, issuance, round: (found.round ?? 1) + 1 };
    this.put(zone, changed);
    return changed;
  }

  private checkHosts(zone: string, hosts: readonly string[]): void {
    const apex = this.store.zones.get("", zone)?.name ?? "";
    const foreign = hosts.find((host) => host !== apex && !host.endsWith(`.${apex}`));
    if (foreign !== undefined)
      throw invalidValue(foreign, "hosts", `it does not belong to the zone ${apex}`, { code: 1408, pointer: "/hosts" });
    if (!hosts.includes(apex))
      throw invalidValue(hosts, "hosts", `the hosts must contain the zone apex ${apex}`, {
        code: 1408,
        pointer: "/hosts",
      });
  }

  private checkValidity(zone: string, { certificate_authority: authority, validity_days: days }: Body): void {
    const periods = ownValue(VALIDITY, text(authority)) ?? [];
    const includesYear = authority === "ssl_com" && this.store.zones.get("", zone)?.plan === "enterprise";
    if (periods.includes(Number(days)) || (days === YEAR && includesYear)) return;
    throw invalidValue(days, "validity_days", `${text(authority)} does not issue certificates for so many days`, {
      code: 1408,
      pointer: "/validity_days",
    });
  }

  private toResult(zone: string, pack: Pack): ApiResult {
    const { issuance: _issuance, ends: _ends, createdAt: _created, round, ...fields } = pack;
    const status = this.statusOf(zone, pack);
    const name = (fields.hosts as readonly string[])[0] ?? "";
    const records = validationRecords({ id: pack.id, name, method: fields.validation_method, round }, status);
    const errors = validationErrors(status);
    const certificates = (fields.certificates as object[] | undefined) ?? this.certificates(zone, pack, status);
    const [primary] = certificates as { readonly id?: string }[];
    return {
      ...fields,
      status,
      certificates,
      ...(primary?.id === undefined ? {} : { primary_certificate: primary.id }),
      dcv_delegation_records: delegationRecords(zone, name),
      ...(records === undefined ? {} : { validation_records: records }),
      ...(errors === undefined ? {} : { validation_errors: errors }),
    };
  }

  private certificates(zone: string, pack: Pack, status: string): object[] {
    if (status !== "active") return [];
    const { id, hosts, validity_days, certificate_authority } = pack;
    const days = typeof validity_days === "number" ? validity_days : 90;
    const { uploadedOn, expiresOn, serial } = datesOf(id, pack, this.stored.get(zone).pace, this.clock.now(), days);
    return [
      {
        id: serial,
        hosts,
        status,
        issuer: issuerOf(text(certificate_authority)),
        signature: "ECDSAWithSHA256",
        bundle_method: "ubiquitous",
        uploaded_on: uploadedOn,
        modified_on: uploadedOn,
        expires_on: expiresOn,
        priority: 1,
        zone_id: zone,
      },
    ];
  }

  private statusOf(zone: string, pack: Pack): string {
    if (typeof pack.status === "string") return pack.status;
    return statusOf(pack, this.stored.get(zone).pace, this.clock.now());
  }

  private find(zone: string, id: string): Pack {
    const found = this.stored.findPack(zone, id);
    if (found === undefined) throw refuse(404, 1300, `certificate pack ${id} not found`);
    return found;
  }
  private put(zone: string, pack: Pack): void {
    this.stored.putPack(zone, pack);
  }
}

/** Pack statuses as verifications name them. */
const VERIFICATION: Readonly<Record<string, string>> = {
  initializing: "initializing",
  pending_validation: "authorizing",
  pending_issuance: "issuing",
  pending_deployment: "pending_deployment",
  active: "active",
  expired: "expired",
  initializing_timed_out: "timing_out",
  validation_timed_out: "timing_out",
  issuance_timed_out: "timing_out",
  deployment_timed_out: "timing_out",
};
