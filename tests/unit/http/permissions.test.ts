import { permissionFor, permissionGroups } from "../../../client/http/permissions.js";

test.each<[string, string, string]>([
  ["GET", "/zones/z", "Zone Read"],
  ["GET", "/zones/z/rulesets", "Zone WAF Read"],
  ["PUT", "/zones/z/rulesets/phases/http_request_origin/entrypoint", "Origin Write"],
  ["GET", "/accounts/a/rulesets", "Account Rulesets Read"],
  ["PUT", "/accounts/a/rulesets/phases/http_ratelimit/entrypoint", "Account WAF Write or Account Rulesets Write"],
  ["GET", "/zones/z/waf_migration/check", "Zone WAF Read"],
  ["GET", "/zones/z/firewall/waf/packages", "Firewall Services Read"],
  ["DELETE", "/zones/z/firewall/waf/overrides/o", "Zone Settings Write"],
  ["GET", "/zones/z/settings/waf", "Zone Settings Read"],
  ["GET", "/zones/z/firewall/rules", "Firewall Services Read"],
  ["GET", "/zones/z/pagerules", "Page Rules Read"],
  ["PATCH", "/zones/z/custom_hostnames/h", "SSL and Certificates Write"],
  ["GET", "/zones/z/ssl/certificate_packs", "SSL and Certificates Read"],
  ["PUT", "/zones/z/rulesets/phases/toString/entrypoint", "Zone WAF Write"],
  ["POST", "/zones/z/acm/total_tls", "SSL and Certificates Write"],
])("%s %s needs %s", (method, path, permission) => {
  expect(permissionFor({ method, path })).toBe(permission);
});

test.each([
  ["/zones/z/rulesets", "http_request_firewall_managed", ["Zone WAF"]],
  ["/zones/z/rulesets", "http_request_cache_settings", ["Cache Settings"]],
  ["/zones/z/rulesets", "http_request_dynamic_redirect", ["Dynamic URL Redirects"]],
  ["/accounts/a/rulesets", "http_request_redirect", ["Mass URL Redirects", "Account Rulesets"]],
  ["/accounts/a/rulesets", "magic_transit", ["Magic Firewall", "Account Rulesets"]],
  ["/accounts/a/rulesets", undefined, ["Account Rulesets"]],
  ["/accounts/a/rules/lists", undefined, ["Account Rule Lists"]],
  ["/zones/z", undefined, ["Zone"]],
])("%s in the phase %s needs one of the groups %j", (path, phase, groups) => {
  expect(permissionGroups({ path, ...(phase === undefined ? {} : { phase }) })).toEqual(groups);
});
