import { checkExpression } from "../../../core/language/index";
import { CATALOGUE_DATE } from "../../../core/language/catalogue/values";
import sets from "../../../core/language/catalogue/values.json";
import { allFields } from "../../../core/language/catalogue/index";

const warnings = (expression: string): readonly string[] =>
  checkExpression(expression).flatMap(({ code, message }) => (code === "unknown-value" ? [message] : []));

describe("a value that a field never has", () => {
  test.each([
    ['ip.src.country eq "UK"', /^`ip\.src\.country` is never `"UK"`; of 2026-08-12, .*Did you mean `"GB"`\?$/],
    ['ip.src.country in {"DE" "gb"}', /never `"gb"`.*Did you mean `"GB"`\?/],
    ['not ip.src.country ne "Germany"', /never `"Germany"`/],
    ['ip.geoip.continent eq "EUR"', /never `"EUR"`/],
    ['cf.verified_bot_category eq "AI crawler"', /Did you mean `"AI Crawler"`/],
    ['cf.verified_bot_category in {"search_engine"}', /verified-bots/],
    ['any(cf.llm.prompt.pii_categories[*] eq "EMAIL")', /never `"EMAIL"`/],
    ['cf.waf.content_scan.obj_results[0] eq "malicious"', /never `"malicious"`/],
    [
      'cf.tls_version eq "TLS 1.2"',
      /is probably never `"TLS 1\.2"`; its values are not documented, and assumed to be `"TLSv1"`, /,
    ],
    ['http.host eq "Example.com."', /lower case, .* hardly ever has `"Example\.com\."`; write `"example\.com"`$/],
    ['http.host contains "Example."', /write `"example\."`$/],
    ['starts_with(http.host, "WWW.")', /write `"www\."`$/],
    ['ends_with(http.host, ".Example.com")', /write `"\.example\.com"`$/],
    ['http.request.uri.query eq "?a"', /begins after the `\?`, .*; write `"a"`$/],
    ['http.request.method eq "post"', /is in upper case, so it never has `"post"`; write `"POST"`$/],
    [
      'any(cf.llm.prompt.unsafe_topic_categories[*] in {"S1"})',
      /changed on 2026-10-07: `"S1"` was one of them before, and may no longer be; see https/,
    ],
  ])("%s is found", (expression, message) => {
    const found = warnings(expression);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  test.each([
    'ip.src.country in {"DE" "T1" "XX" "XK"}',
    'ip.src.continent eq "T1"',
    'cf.verified_bot_category ne ""',
    'cf.waf.score.class in {"attack" "likely_attack"}',
    'http.request.method in {"GET" "PURGE" "M-SEARCH"}',
    'any(cf.llm.prompt.unsafe_topic_categories[*] eq "self_harm")',
    'lower(ip.src.country) eq "de"',
    'ip.src.country contains "x"',
    'http.host contains "example."',
    'ip.src.country lt "Z"',
    'cf.tls_version eq "TLSv1.3"',
  ])("%s is fine", (expression) => {
    expect(warnings(expression)).toEqual([]);
  });

  test("is known from a dated source, of fields that exist", () => {
    for (const { fields, date, source } of sets) {
      for (const field of fields) expect(allFields().has(field)).toBe(true);
      expect(date).toMatch(/^2026-\d\d-\d\d$/);
      expect(date <= CATALOGUE_DATE).toBe(true);
      expect(source).toMatch(/^https:\/\/developers\.cloudflare\.com\//);
    }
  });
});
