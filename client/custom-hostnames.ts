import type { CustomHostname, HostnameSsl, ValidationRecord } from "../core/model/certificates.js";
import { isList, isObject, textsIn, type Json, type JsonObject, objectsIn } from "../core/model/json.js";
import type { Call, Transport } from "./http/index.js";
import {
  encodeSegment,
  hasId,
  pages,
  readPage,
  requireList,
  requireResult,
  requireSame,
  responseText,
  undefinedIfMissing,
  type Page,
} from "./pages.js";

/** Largest page that the service returns. */
const PER_PAGE = 1000;

/** Filters of a list of custom hostnames. */
export interface HostnameFilter {
  readonly hostname?: string;
  readonly certificateAuthority?: string;
  readonly sslStatus?: string;
}

/** Custom hostnames and their certificates. */
export class CustomHostnamesClient {
  constructor(private readonly transport: Transport) {}

  /** Reads one page at a time, so that all hostnames of a large zone are never in memory together. */
  async *pages(zoneId: string, filter: HostnameFilter = {}): AsyncGenerator<CustomHostname[]> {
    const query = {
      hostname: filter.hostname,
      certificate_authority: filter.certificateAuthority,
      ssl_status: filter.sslStatus,
    };
    // The service documents its total as the number without search parameters.
    const isCounted = Object.values(query).every((value) => value === undefined);
    for await (const page of pages(this.transport, root(zoneId), { perPage: PER_PAGE, query, isCounted, isWhole }))
      yield page.map(hostnameFromWire);
  }

  /** One page of a zone's hostnames, counted from 1, and the number of pages. */
  async page(zoneId: string, page: number): Promise<Page<CustomHostname>> {
    const { items, ...rest } = await readPage(this.transport, root(zoneId), { page, perPage: PER_PAGE, isWhole });
    return { items: items.map(hostnameFromWire), ...rest };
  }

  /** The hostnames with a name. One request. */
  async search(zoneId: string, hostname: string): Promise<CustomHostname[]> {
    const query = { hostname, page: 1, per_page: PER_PAGE };
    const call: Call = { method: "GET", path: root(zoneId), query };
    return requireList(call, await this.transport.send(call), isWhole).map(hostnameFromWire);
  }

  async list(zoneId: string, filter: HostnameFilter = {}): Promise<CustomHostname[]> {
    const found: CustomHostname[] = [];
    for await (const page of this.pages(zoneId, filter)) found.push(...page);
    return found;
  }

  async get(zoneId: string, id: string): Promise<CustomHostname> {
    const path = `${root(zoneId)}/${encodeSegment(id)}`;
    const found = await this.hostname("GET", path);
    requireSame({ method: "GET", path }, id, found.id);
    return found;
  }
  find(zoneId: string, id: string): Promise<CustomHostname | undefined> {
    return undefinedIfMissing(this.get(zoneId, id));
  }

  /**
   * Edits the certificate of a hostname. Never a no-op: the service validates and reissues the certificate even when the body
   * changes nothing. A change of the authority needs method and type in the same body (1440).
   */
  edit(zoneId: string, id: string, ssl: JsonObject): Promise<CustomHostname> {
    return this.hostname("PATCH", `${root(zoneId)}/${encodeSegment(id)}`, { ssl });
  }

  private async hostname(method: "GET" | "PATCH", path: string, body?: JsonObject): Promise<CustomHostname> {
    const call: Call = { method, path, ...(body === undefined ? {} : { body }) };
    return hostnameFromWire(requireResult(call, await this.transport.send(call), "custom hostname", hasId));
  }
}

function root(zoneId: string): string {
  return `/zones/${encodeSegment(zoneId)}/custom_hostnames`;
}

/** Those without an ID are named one by one. */
const isWhole = (): boolean => true;

/** Fields of `ssl` that an edit is thought to reset when it omits them. */
const ECHOED = ["bundle_method", "wildcard", "settings", "cloudflare_branding", "custom_csr_id"];

function hostnameFromWire(wire: JsonObject): CustomHostname {
  return {
    id: responseText(wire.id),
    hostname: responseText(wire.hostname),
    status: responseText(wire.status),
    ssl: sslFromWire(isObject(wire.ssl) ? wire.ssl : {}),
  };
}

function sslFromWire(wire: JsonObject): HostnameSsl {
  const errors = objectsIn(wire.validation_errors).map(({ message }) => responseText(message));
  const { bundle_method: bundleMethod, issuer, uploaded_on: uploadedOn, expires_on: expiresOn } = wire;
  return {
    status: responseText(wire.status),
    method: responseText(wire.method),
    type: responseText(wire.type),
    certificateAuthority: responseText(wire.certificate_authority),
    validationRecords: objectsIn(wire.validation_records).map(recordFromWire),
    validationErrors: errors,
    uploaded: responseText(wire.custom_certificate) !== "",
    echo: Object.fromEntries(
      ECHOED.flatMap((name) => (wire[name] === undefined || wire[name] === null ? [] : [[name, wire[name]]])),
    ),
    ...texts({ bundleMethod, issuer, uploadedOn, expiresOn }),
  };
}

function recordFromWire(wire: JsonObject): ValidationRecord {
  const { emails } = wire;
  return {
    ...texts({
      status: wire.status,
      txtName: wire.txt_name,
      txtValue: wire.txt_value,
      httpUrl: wire.http_url,
      httpBody: wire.http_body,
      cname: wire.cname,
      cnameTarget: wire.cname_target,
    }),
    ...(isList(emails) ? { emails: textsIn(emails) } : {}),
  };
}

/** The values that are non-empty strings. */
function texts(values: Readonly<Record<string, Json | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === "string" && value !== "" ? [[name, value]] : [],
    ),
  );
}
