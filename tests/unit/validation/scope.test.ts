import { checkScope, failureText, type Place } from "../../../provider/validation/index.js";
import { UNKNOWN } from "../../../provider/model/unknown.js";

const ZONE = "0123456789abcdef0123456789abcdef";
const texts = (place: Place) => checkScope(place).failures.map(failureText);

test.each<[string, Place, string[]]>([
  [
    "both",
    { zoneId: ZONE, accountId: ZONE, phase: "http_ratelimit" },
    ["zoneId and accountId exclude each other; give exactly one"],
  ],
  ["neither", { phase: "http_ratelimit" }, ["one of zoneId and accountId is missing; give exactly one"]],
  ["no id", { zoneId: "my zone", phase: "http_ratelimit" }, ['zoneId: "my zone" is not an id: 32 hexadecimal digits']],
  [
    "a misspelt phase",
    { zoneId: ZONE, phase: "http_rate_limit" },
    ['phase: the phase "http_rate_limit" does not exist; did you mean "http_ratelimit"?'],
  ],
  ["no phase", { zoneId: ZONE }, ["phase: is missing"]],
  [
    "a phase of accounts in a zone",
    { zoneId: ZONE, phase: "magic_transit" },
    ["phase: magic_transit (network firewall) exists for accounts only: give accountId"],
  ],
  [
    "a phase of zones in an account",
    { accountId: ZONE, phase: "http_request_origin" },
    ["phase: http_request_origin (origin rules) exists for zones only: give zoneId"],
  ],
  [
    "root in a zone",
    { zoneId: ZONE, kind: "root", phase: "http_ratelimit" },
    ["kind: root is the entry point of an account: give accountId, or kind zone"],
  ],
  [
    "zone in an account",
    { accountId: ZONE, kind: "zone", phase: "http_ratelimit" },
    ["kind: zone is the entry point of a zone: give zoneId, or kind root"],
  ],
  [
    "a managed ruleset",
    { accountId: ZONE, kind: "managed", phase: "http_ratelimit" },
    ["kind: managed rulesets belong to the vendor; execute them with overrides instead"],
  ],
  [
    "another kind",
    { accountId: ZONE, kind: "customs", phase: "http_ratelimit" },
    ["kind: must be one of custom, root, zone"],
  ],
  [
    "a custom ruleset of a zone elsewhere",
    { zoneId: ZONE, kind: "custom", phase: "http_ratelimit" },
    ["kind: custom rulesets of a zone exist in phase http_request_firewall_custom only"],
  ],
  ["everything right", { zoneId: ZONE, kind: "zone", phase: "http_ratelimit" }, []],
  ["nothing known yet", { zoneId: UNKNOWN, kind: UNKNOWN, phase: UNKNOWN }, []],
])("%s", (_, place, expected) => {
  expect(texts(place)).toEqual(expected);
});

test("a phase nobody knows passes with a warning", () => {
  const found = checkScope({ zoneId: ZONE, phase: "http_quantum_teleportation" });
  expect(found.failures).toEqual([]);
  expect(found.warnings).toHaveLength(1);
});
