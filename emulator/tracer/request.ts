import { makeRequest, type HttpRequest, type RequestInput } from "../../core/language/index.js";
import { refuse } from "../failure.js";
import type { Geolocation, TraceBody } from "./bodies.js";

/** The request to trace. */
export function tracedRequest(
  { method, url, body, cookies, headers, protocol, context }: TraceBody,
  now: number,
): HttpRequest {
  const { geoloc = {}, bot_score: botScore, threat_score: threatScore } = context ?? {};
  try {
    return makeRequest({
      method,
      url,
      headers: { ...headers, ...cookieHeader(cookies) },
      ...(protocol === undefined ? {} : { httpVersion: protocol }),
      body: bodyOf(body),
      country: geoloc.iso_code,
      continent: geoloc.continent,
      botScore,
      threatScore,
      timestamp: now / 1000,
      fields: fieldsOf(geoloc),
    });
  } catch (error) {
    if (error instanceof TypeError) throw refuse(400, 1000, error.message);
    throw error;
  }
}

function cookieHeader(cookies: TraceBody["cookies"] = {}): Record<string, string> {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? {} : { Cookie: pairs.join("; ") };
}

function bodyOf({ base64, json, plain_text: plain }: NonNullable<TraceBody["body"]> = {}): string | Uint8Array {
  if (base64 !== undefined) return Buffer.from(base64, "base64");
  return json === undefined ? (plain ?? "") : JSON.stringify(json);
}

function fieldsOf(place: Geolocation): NonNullable<RequestInput["fields"]> {
  const known = {
    "ip.src.city": place.city,
    "ip.src.is_in_european_union": place.is_eu_country,
    "ip.src.lat": place.latitude?.toString(),
    "ip.src.lon": place.longitude?.toString(),
    "ip.src.postal_code": place.postal_code,
    "ip.src.region_code": place.region_code,
    "ip.src.subdivision_2_iso_code": place.subdivision_2_iso_code,
    "ip.src.timezone.name": place.timezone,
  };
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
