import { isWithin, reachOf, type Reach } from "../../../core/analysis/index";

const phase = "http_request_firewall_custom";
const shop = { name: "shop.example.com", plan: "enterprise" } as const;

test.each<[string, Reach]>([
  ["true", "every"],
  ['http.host eq "a" or not http.host eq "a"', "every"],
  ['cf.zone.plan eq "ENT"', "every"],
  ['(cf.zone.name in {"shop.example.com" "b.example.com"}) and cf.zone.plan eq "ENT"', "every"],
  ['(cf.zone.name eq "b.example.com") and cf.zone.plan eq "ENT"', "none"],
  ['(not cf.zone.name eq "shop.example.com") and cf.zone.plan eq "ENT"', "none"],
  ['cf.zone.plan eq "FREE"', "none"],
  ['(ip.src in {192.0.2.0/24}) and cf.zone.plan eq "ENT"', "some"],
  ['http.host eq "a" and http.host eq "b"', "none"],
  ["this is ( no expression", "some"],
])("decides which requests of a zone %s matches: %s", (expression, reach) => {
  expect(reachOf({ expression, phase, zone: shop })).toBe(reach);
});

test("claims nothing about an unknown zone", () => {
  expect(reachOf({ expression: 'cf.zone.plan eq "ENT"', phase })).toBe("some");
});

test.each<[string, string, boolean]>([
  ["ip.src in {192.0.2.0/25}", "ip.src in {192.0.2.0/24}", true],
  ["ip.src in {192.0.2.0/24}", "ip.src in {192.0.2.0/25}", false],
  ["ip.src eq 192.0.2.1", "not ( readable", false],
])("%s within %s: %s", (inner, outer, within) => {
  expect(isWithin(inner, outer, phase)).toBe(within);
});
