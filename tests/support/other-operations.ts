/**
 * The operations on what a stack has in addition to rulesets and certificates, as Cloudflare's SDK types them: no part of
 * the API description that is stored here covers them.
 */
interface Schema {
  readonly [key: string]: unknown;
}

const string: Schema = { type: "string" };
const id: Schema = { type: "string", maxLength: 36, minLength: 1 };
const boolean: Schema = { type: "boolean" };
const number: Schema = { type: "number" };
const date: Schema = { type: "string", format: "date-time" };
const oneOf = (...values: readonly unknown[]): Schema => ({ enum: values });
const list = (items: Schema): Schema => ({ type: "array", items });
const object = (properties: Schema, required: readonly string[] = Object.keys(properties)): Schema => ({
  type: "object",
  properties,
  required,
});
const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });

const entry = object(
  { code: { type: "integer", minimum: 1000 }, message: string, source: object({ pointer: string }) },
  ["code", "message"],
);
const envelope = (result: Schema, more: Schema = {}): Schema =>
  object({ result, success: oneOf(true), errors: list(entry), messages: list(entry), ...more });
const failure = object({
  result: { type: "null" },
  success: oneOf(false),
  errors: { ...list(entry), minItems: 1 },
  messages: list(entry),
});
const content = (schema: Schema): Schema => ({ content: { "application/json": { schema } } });

const operation = (result: Schema, body?: Schema, more?: Schema) => ({
  ...(body === undefined ? {} : { requestBody: content(body) }),
  responses: { "200": content(envelope(result, more)), "4XX": content(failure) },
});
const page = {
  result_info: object({ page: number, per_page: number, count: number, total_count: number, total_pages: number }),
};

const account = object({
  id,
  name: string,
  type: string,
  created_on: date,
  settings: object({ enforce_twofactor: boolean }),
});
const plan = oneOf("free", "pro", "business", "enterprise");
const zoneType = oneOf("full", "partial", "secondary", "internal");
const zone = object({
  id,
  name: string,
  status: oneOf("initializing", "pending", "active", "moved"),
  paused: boolean,
  type: zoneType,
  development_mode: number,
  name_servers: list(string),
  original_name_servers: nullable(list(string)),
  created_on: date,
  modified_on: date,
  activated_on: nullable(date),
  meta: { type: "object" },
  owner: { type: "object" },
  account: object({ id, name: string }),
  plan: object({ id, legacy_id: plan, name: string }),
});
const subscription = object({
  id,
  state: oneOf("Paid"),
  price: number,
  currency: string,
  frequency: string,
  rate_plan: object({ id: plan, public_name: string }),
});
const setting = object({ id: string, value: {}, editable: boolean, modified_on: nullable(date) });

const recordType = oneOf("A", "AAAA", "CAA", "CNAME", "MX", "NS", "PTR", "SRV", "TXT");
const ttl = { anyOf: [oneOf(1), { type: "number", minimum: 30, maximum: 86_400 }] };
const record = object({
  id,
  name: string,
  type: recordType,
  content: string,
  proxiable: boolean,
  proxied: boolean,
  ttl,
  settings: { type: "object" },
  meta: { type: "object" },
  comment: nullable(string),
  tags: list(string),
  created_on: date,
  modified_on: date,
});
const sentRecord = (required: readonly string[]): Schema =>
  object(
    {
      name: { type: "string", minLength: 1, maxLength: 255 },
      type: recordType,
      content: string,
      ttl,
      proxied: boolean,
      priority: { type: "integer", minimum: 0, maximum: 65_535 },
      comment: nullable({ type: "string", maxLength: 500 }),
      tags: list({ type: "string", minLength: 1 }),
    },
    required,
  );

const kind = oneOf("ip", "redirect", "hostname", "asn");
const listAnswer: Schema = {
  ...object({
    id,
    name: string,
    kind,
    num_items: number,
    num_referencing_filters: number,
    created_on: date,
    modified_on: date,
  }),
  additionalProperties: string,
};
const comment = { type: "string", maxLength: 500 };
const sentItem: Schema = {
  type: "object",
  anyOf: [
    object({ ip: string, comment }, ["ip"]),
    object({ asn: { type: "integer", minimum: 0, maximum: 4_294_967_295 }, comment }, ["asn"]),
    object({ hostname: object({ url_hostname: { type: "string", minLength: 1 } }), comment }, ["hostname"]),
    object(
      {
        redirect: object({
          source_url: { type: "string", minLength: 1 },
          target_url: { type: "string", minLength: 1 },
        }),
        comment,
      },
      ["redirect"],
    ),
  ],
};
const item = {
  type: "object",
  required: ["id", "created_on", "modified_on"],
  properties: { id, created_on: date, modified_on: date, comment: string },
};
const begun = object({ operation_id: id });
const gone = object({ id });
const description = { type: "string", maxLength: 500 };

/** A ruleset or a rule that a traced request reaches. */
const step = object(
  {
    type: oneOf("ruleset", "rule"),
    step_name: string,
    matched: boolean,
    kind: string,
    name: string,
    action: string,
    action_parameters: { type: "object" },
    expression: string,
    description: string,
    trace: list({ type: "object" }),
  },
  ["type", "step_name", "matched"],
);
const texts: Schema = { type: "object", additionalProperties: string };
const traced = object(
  {
    method: { type: "string", minLength: 1 },
    url: { type: "string", minLength: 1 },
    body: object({ base64: string, plain_text: string, json: {} }, []),
    cookies: texts,
    headers: texts,
    protocol: string,
    skip_response: boolean,
    context: object(
      { bot_score: { type: "integer" }, skip_challenge: boolean, geoloc: object({ city: string }, []) },
      [],
    ),
  },
  ["method", "url"],
);

const verified = operation(object({ id, status: oneOf("active") }));
const pack = "/zones/{zone_id}/ssl/certificate_packs";

/** Paths as written in the API description. */
export const otherPaths = {
  "/zones": {
    post: operation(
      zone,
      object({ name: { type: "string", minLength: 1, maxLength: 253 }, account: object({ id }), type: zoneType }, [
        "name",
      ]),
    ),
  },
  "/zones/{zone_id}": {
    patch: operation(
      zone,
      object(
        {
          paused: boolean,
          type: zoneType,
          vanity_name_servers: list({ type: "string", minLength: 1 }),
          plan: object({ id: plan }),
        },
        [],
      ),
    ),
    delete: operation(gone),
  },
  "/zones/{zone_id}/activation_check": { put: operation(gone) },
  "/zones/{zone_id}/subscription": {
    get: operation(subscription),
    post: operation(subscription, object({ rate_plan: object({ id: plan }) })),
    put: operation(subscription, object({ rate_plan: object({ id: plan }) })),
  },
  "/zones/{zone_id}/settings": {
    get: operation(list(setting)),
    patch: operation(
      list(setting),
      object({ items: { ...list(object({ id: { type: "string", minLength: 1 }, value: {} })), minItems: 1 } }),
    ),
  },
  "/zones/{zone_id}/settings/{setting_id}": {
    get: operation(setting),
    patch: operation(setting, object({ value: {} })),
  },
  "/zones/{zone_id}/dns_records": {
    get: operation(list(record), undefined, page),
    post: operation(record, sentRecord(["name", "type"])),
  },
  "/zones/{zone_id}/dns_records/batch": {
    post: operation(
      object({ deletes: list(record), patches: list(record), puts: list(record), posts: list(record) }),
      object({ deletes: list(object({ id })), posts: list(sentRecord(["name", "type"])) }, []),
    ),
  },
  "/zones/{zone_id}/dns_records/{dns_record_id}": {
    get: operation(record),
    put: operation(record, sentRecord(["name", "type"])),
    patch: operation(record, sentRecord([])),
    delete: operation(gone),
  },
  "/accounts": { get: operation(list(account), undefined, page) },
  "/accounts/{account_id}": {
    get: operation(account),
    put: operation(account, object({ name: { type: "string", minLength: 1, maxLength: 100 } })),
  },
  "/user/tokens/verify": { get: verified },
  "/accounts/{account_id}/tokens/verify": { get: verified },
  "/accounts/{account_id}/request-tracer/trace": {
    post: operation(object({ status_code: number, trace: list(step) }), traced),
  },
  "/accounts/{account_id}/rules/lists": {
    get: operation(list(listAnswer)),
    post: operation(
      listAnswer,
      object({ name: { type: "string", pattern: "^[a-zA-Z0-9_]{1,50}$" }, kind, description }, ["name", "kind"]),
    ),
  },
  "/accounts/{account_id}/rules/lists/{list_id}": {
    get: operation(listAnswer),
    put: operation(listAnswer, object({ description }, [])),
    delete: operation(gone),
  },
  "/accounts/{account_id}/rules/lists/{list_id}/items": {
    get: operation(list(item)),
    post: operation(begun, list(sentItem)),
    put: operation(begun, list(sentItem)),
    delete: operation(begun, object({ items: { ...list(object({ id })), minItems: 1 } })),
  },
  "/accounts/{account_id}/rules/lists/{list_id}/items/{item_id}": { get: operation(item) },
  "/accounts/{account_id}/rules/lists/bulk_operations/{operation_id}": {
    get: operation(
      object({ id, status: oneOf("pending", "running", "completed", "failed"), completed: date }, ["id", "status"]),
    ),
  },
  "/zones/{zone_id}/custom_hostnames/quota": {
    get: operation(object({ allocated: number, exceeded: boolean, hard_cap: number, used: number })),
  },
  "/zones/{zone_id}/custom_hostnames/{custom_hostname_id}/certificate_pack/{certificate_pack_id}/certificates/{certificate_id}":
    {
      put: operation(
        object({ id, hostname: string, ssl: { type: "object" } }),
        object({ custom_certificate: string, custom_key: string }),
      ),
      delete: { responses: { "200": content(gone), "4XX": content(failure) } },
    },
  [`${pack}/quota`]: { get: operation(object({ advanced: object({ allocated: number, used: number }) })) },
  "/zones/{zone_id}/ssl/verification": {
    get: operation(
      list(
        object({
          cert_pack_uuid: id,
          certificate_status: oneOf(
            "initializing",
            "authorizing",
            "active",
            "expired",
            "issuing",
            "timing_out",
            "pending_deployment",
          ),
          validation_method: string,
          brand_check: boolean,
          verification_status: boolean,
        }),
      ),
    ),
  },
  "/zones/{zone_id}/ssl/verification/{certificate_pack_id}": {
    patch: operation(
      object({ status: string, validation_method: string }),
      object({ validation_method: oneOf("http", "cname", "txt", "email") }),
    ),
  },
  "/zones/{zone_id}/custom_certificates/prioritize": {
    put: operation(
      list(object({ id, priority: number })),
      object({ certificates: list(object({ id: { type: "string", minLength: 1 }, priority: number })) }),
    ),
  },
} as const;
