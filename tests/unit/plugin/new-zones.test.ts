import { newZonesInPreview } from "../../../core/model/new-zones.js";
import { UNKNOWN } from "../../../core/model/unknown.js";

const urn = (type: string, name: string): string => `urn:pulumi:dev::shop::${type}::${name}`;
const ZONE = urn("cloudflare:index/zone:Zone", "shop");
const WAF = urn("rulesets:index:PhaseEntrypoint", "waf");

const zone = (more: object = {}) => ({ urn: ZONE, custom: true, inputs: { name: "Shop.example.org" }, ...more });
const inZone = (of: string, zoneId: string = UNKNOWN, zoneUrn = ZONE) => ({
  ...{ urn: of, custom: true, inputs: { zoneId } },
  propertyDependencies: { zoneId: [zoneUrn] },
});
const found = (...states: readonly object[]) =>
  newZonesInPreview({ steps: states.map((newState) => ({ newState })) }, (type) => type === "PhaseEntrypoint");

test("a preview tells which zone rules are for that the program creates, with its name as the service writes it", () => {
  expect(found(zone(), inZone(WAF))).toEqual({ [WAF]: { urn: ZONE, name: "shop.example.org" } });
});

test.each([
  ["rules of a zone that exists", [zone(), inZone(WAF, "0123456789abcdef0123456789abcdef")]],
  ["resources of other packages", [zone(), inZone(urn("cloudflare:index/dnsRecord:DnsRecord", "www"))]],
  ["resources without rules", [zone(), inZone(urn("rulesets:index:TotalTlsCa", "ca"))]],
  ["rules of a component, which may create several zones", [zone({ custom: false }), inZone(WAF)]],
])("%s need no other preview", (_, states) => {
  expect(found(...states)).toEqual({});
});
