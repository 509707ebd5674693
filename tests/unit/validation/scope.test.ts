import { isError } from "../../../core/language/index.js";
import { checkHostnameId } from "../../../provider/validation/checks/ids.js";
import { checkScope, findingText, type Place } from "../../../provider/validation/index.js";
import { UNKNOWN } from "../../../core/model/unknown.js";

const ZONE = "0123456789abcdef0123456789abcdef";
const zone = (more: Place = {}): Place => ({ zoneId: ZONE, ...more });
const account = (more: Place): Place => ({ accountId: ZONE, ...more });
const noPhase = (phase: string) =>
  `phase: ${JSON.stringify(phase)} is not the name of a phase, which contains letters, digits and _ only`;
const meant = (phase: string) =>
  `phase: the phase ${JSON.stringify(phase)} does not exist; did you mean "http_ratelimit"?`;
const texts = (place: Place) => checkScope(place).filter(isError).map(findingText);

test.each<[string, Place, string?]>([
  ["no ID", { zoneId: "my zone" }, "zoneId: must be an ID of 32 hexadecimal digits; this has 7 characters"],
  [
    "an ID that is too long, which may be a token",
    { accountId: `${ZONE}89abcdef` },
    "accountId: must be an ID of 32 hexadecimal digits; this has 40 characters",
  ],
  [
    "a letter that is not a hexadecimal digit",
    { zoneId: ZONE.replace("f", "g") },
    "zoneId: must be an ID of 32 hexadecimal digits; this contains other characters",
  ],
  [
    "an ID in upper case",
    { zoneId: ZONE.toUpperCase() },
    `zoneId: IDs are in lower case; write ${JSON.stringify(ZONE)}`,
  ],
  [
    "an ID with spaces around it",
    { zoneId: ` ${ZONE}\n` },
    `zoneId: IDs have no surrounding spaces; write ${JSON.stringify(ZONE)}`,
  ],
  ["an ID that is null", { zoneId: null }, "zoneId: must be an ID of 32 hexadecimal digits"],
  ["a phase with a path in it", zone({ phase: "../x" }), noPhase("../x")],
  ["a phase with a slash", account({ phase: "a/b" }), noPhase("a/b")],
  ["a known phase with a space", zone({ phase: "http ratelimit" }), meant("http ratelimit")],
  ["a misspelled phase", zone({ phase: "http_rate_limit" }), meant("http_rate_limit")],
  ["no phase", zone({ phase: undefined }), "phase: is required"],
  ["a list as phase", zone({ phase: ["http_ratelimit"] }), "phase: must be a string"],
  [
    "an account phase in a zone",
    zone({ phase: "magic_transit" }),
    "phase: magic_transit (network firewall) exists for accounts only: specify accountId",
  ],
  [
    "a zone phase in an account",
    account({ phase: "http_request_origin" }),
    "phase: http_request_origin (origin rules) exists for zones only: specify zoneId",
  ],
  [
    "kind root in a zone",
    zone({ kind: "root" }),
    'kind: root is the entry point of an account: specify accountId, or use kind "zone"',
  ],
  [
    "kind zone in an account",
    account({ kind: "zone" }),
    'kind: zone is the entry point of a zone: specify zoneId, or use kind "root"',
  ],
  [
    "kind managed",
    account({ kind: "managed" }),
    "kind: managed rulesets belong to Cloudflare; execute them with overrides instead",
  ],
  ["another kind", account({ kind: "customs" }), "kind: must be one of custom, root, zone"],
  [
    "a custom ruleset in a zone",
    zone({ kind: "custom" }),
    "kind: custom rulesets of a zone exist in phase http_request_firewall_custom only",
  ],
  ["valid values", zone({ kind: "zone" })],
  ["unknown values", { zoneId: UNKNOWN, kind: UNKNOWN, phase: UNKNOWN }],
])("%s", (_, place, expected = "") => {
  expect(texts({ phase: "http_ratelimit", ...place }).join("\n")).toBe(expected);
});

test("accepts an unknown phase with a warning", () => {
  expect(checkScope({ zoneId: ZONE, phase: "http_quantum_teleportation" })).toMatchObject([{ severity: "warning" }]);
});

test.each(["toString", "constructor", "__proto__"])("refuses the phase %s", (phase) => {
  expect(texts({ zoneId: ZONE, phase })).toEqual([`phase: the phase ${JSON.stringify(phase)} does not exist`]);
});

test.each([
  ["0123abcd-4567-89ef-0123-456789abcdef", []],
  ["0123456789abcdef0123456789abcdef", []],
  ["9f1839b6-152d", []],
  [UNKNOWN, []],
  [
    "0123ABCD-4567-89EF-0123-456789ABCDEF",
    ['customHostnameId: IDs are in lower case; write "0123abcd-4567-89ef-0123-456789abcdef"'],
  ],
  ...["..", "a/b", "", 7].map((id): [string | number, string[]] => [
    id,
    ["customHostnameId: must be the ID of a custom hostname: hexadecimal digits and dashes"],
  ]),
])("the ID %j of a custom hostname", (id, expected) => {
  expect(checkHostnameId(["customHostnameId"], id).map(findingText)).toEqual(expected);
});

test.each([
  ["http_request_snippets", "Snippets"],
  ["http_request_cloud_connector", "Cloud Connector"],
  ["http_request_api_gateway_early", "API Shield"],
])("the phase %s is known as that of %s, which has no rulesets", (phase, product) => {
  const found = checkScope({ zoneId: ZONE, phase });
  expect(found.filter(isError)).toEqual([]);
  expect(found.map(findingText)).toEqual([
    `phase: ${phase} is the phase of ${product}, which has an API of its own: no rulesets of it are documented, so the service may refuse this`,
  ]);
});
