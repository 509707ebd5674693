import { bodyCheck, boolean, nonEmpty, object, string } from "../body.js";
import type { Schema } from "../schemas.js";

/** The body of a trace, as Cloudflare's SDK types it. */
export interface TraceBody {
  readonly method: string;
  readonly url: string;
  readonly body?: { readonly base64?: string; readonly json?: unknown; readonly plain_text?: string };
  readonly cookies?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocol?: string;
  readonly skip_response?: boolean;
  readonly context?: {
    readonly bot_score?: number;
    readonly threat_score?: number;
    readonly skip_challenge?: boolean;
    readonly geoloc?: Geolocation;
  };
}

export interface Geolocation {
  readonly city?: string;
  readonly continent?: string;
  readonly is_eu_country?: boolean;
  readonly iso_code?: string;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly postal_code?: string;
  readonly region_code?: string;
  readonly subdivision_2_iso_code?: string;
  readonly timezone?: string;
}

const texts: Schema = { type: "object", additionalProperties: string };
const number: Schema = { type: "number" };
const integer: Schema = { type: "integer" };
const geoloc = object({
  city: string,
  continent: string,
  is_eu_country: boolean,
  iso_code: string,
  latitude: number,
  longitude: number,
  postal_code: string,
  region_code: string,
  subdivision_2_iso_code: string,
  timezone: string,
});

export const checkTrace = bodyCheck(
  object(
    {
      method: nonEmpty,
      url: nonEmpty,
      body: object({ base64: string, json: {}, plain_text: string }),
      cookies: texts,
      headers: texts,
      protocol: string,
      skip_response: boolean,
      context: object({ bot_score: integer, threat_score: integer, skip_challenge: boolean, geoloc }),
    },
    ["method", "url"],
  ),
  [["", 1000]],
);
