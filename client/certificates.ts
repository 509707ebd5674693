import type { CertificatePack, CustomCertificate, TotalTls } from "../core/model/certificates.js";
import { textsIn, type Json, type JsonObject, objectsIn } from "../core/model/json.js";
import type { Call, Transport } from "./http/index.js";
import { allPages, encodeSegment, requireResult, responseText } from "./pages.js";

const PER_PAGE = 50;

/** Certificate packs, uploaded certificates and Total TLS of a zone. */
export class CertificatesClient {
  constructor(private readonly transport: Transport) {}

  /** Every pack, active or not, all pages. */
  async listPacks(zoneId: string): Promise<CertificatePack[]> {
    const path = `${zone(zoneId)}/ssl/certificate_packs`;
    return (await allPages(this.transport, path, PER_PAGE, { status: "all" })).map((wire) => ({
      id: responseText(wire.id),
      type: responseText(wire.type),
      status: responseText(wire.status),
      hosts: textsIn(wire.hosts),
      certificateAuthority: responseText(wire.certificate_authority),
      ...optional("validationMethod", wire.validation_method),
      ...(typeof wire.validity_days === "number" ? { validityDays: wire.validity_days } : {}),
      ...optional("expiresOn", objectsIn(wire.certificates)[0]?.expires_on),
    }));
  }

  /** Every uploaded certificate, all pages. */
  async listCustomCertificates(zoneId: string): Promise<CustomCertificate[]> {
    const path = `${zone(zoneId)}/custom_certificates`;
    return (await allPages(this.transport, path, PER_PAGE)).map((wire) => ({
      id: responseText(wire.id),
      hosts: textsIn(wire.hosts),
      issuer: responseText(wire.issuer),
      status: responseText(wire.status),
      bundleMethod: responseText(wire.bundle_method),
      ...optional("uploadedOn", wire.uploaded_on),
      ...optional("expiresOn", wire.expires_on),
    }));
  }

  async getTotalTls(zoneId: string): Promise<TotalTls> {
    return this.totalTls({ method: "GET", path: `${zone(zoneId)}/acm/total_tls` });
  }

  /** Sets Total TLS. `enabled` is part of every write. */
  async setTotalTls(
    zoneId: string,
    settings: { readonly enabled: boolean; readonly certificateAuthority: string },
  ): Promise<TotalTls> {
    const body = { enabled: settings.enabled, certificate_authority: settings.certificateAuthority };
    return this.totalTls({ method: "POST", path: `${zone(zoneId)}/acm/total_tls`, body });
  }

  /** Whether it is on becomes part of the next write: what is not told would be taken for off. */
  private async totalTls(call: Call): Promise<TotalTls> {
    const says = ({ enabled }: JsonObject): boolean => typeof enabled === "boolean";
    return totalTlsFromWire(requireResult(call, await this.transport.send(call), "setting of Total TLS", says));
  }
}

function zone(zoneId: string): string {
  return `/zones/${encodeSegment(zoneId)}`;
}

function totalTlsFromWire(wire: JsonObject): TotalTls {
  return {
    enabled: wire.enabled === true,
    certificateAuthority: responseText(wire.certificate_authority),
    ...(typeof wire.validity_period === "number" ? { validityPeriod: wire.validity_period } : {}),
  };
}

function optional<K extends string>(key: K, value: Json | undefined): Partial<Record<K, string>> {
  return typeof value === "string" && value !== "" ? ({ [key]: value } as Record<K, string>) : {};
}
