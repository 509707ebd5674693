import Ajv from "ajv";
import { TextDocument } from "../../../tools/rules-files/text/text-document";
import type { NamedInvariant } from "../../../core/invariants/invariant";
import { readInvariants } from "../../../core/invariants/read";
import schema from "../../../schema/invariants.schema.json";

const isValid = new Ajv({ strict: true, keywords: ["errorMessage"] }).compile(schema);
const document = (text: string): TextDocument => TextDocument.parse(text, "a.invariants.yaml");
const read = (text: string): readonly NamedInvariant[] => readInvariants(document(text));

const WHOLE = `
$schema: https://example.com/invariants.schema.json
invariants:
  - name: admin only from the office
    zones: { plan: enterprise, name: "*.example.com" }
    requests: starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24}
    must: be-stopped
    except: [{ zone: old.example.com, until: 2027-01-31, reason: closed in January }]
  - name: plain requests move to https
    requests: not ssl
    must: { redirect: { to: "https://example.com/", status: 301 } }
  - name: everything is seen by the managed rules
    zones: all
    requests: true
    must: { reach-managed-rules: efb7b8c949ac4650a09736fc376e9aee }
`;

test("a file is read with all of its parts", () => {
  expect(isValid(document(WHOLE).value)).toBe(true);
  expect(read(WHOLE)).toEqual([
    {
      name: "admin only from the office",
      zones: { names: ["*.example.com"], plans: ["enterprise"] },
      requests: 'starts_with(http.request.uri.path, "/admin") and not ip.src in {192.0.2.0/24}',
      must: { kind: "be-stopped" },
      except: [{ zone: "old.example.com", until: "2027-01-31", reason: "closed in January" }],
    },
    {
      name: "plain requests move to https",
      zones: {},
      requests: "not ssl",
      must: { kind: "redirect", to: "https://example.com/", status: 301 },
      except: [],
    },
    {
      name: "everything is seen by the managed rules",
      zones: {},
      requests: "true",
      must: { kind: "reach-managed-rules", ruleset: "efb7b8c949ac4650a09736fc376e9aee" },
      except: [],
    },
  ]);
});

test.each(schema.definitions.requirement.oneOf.flatMap((one) => ("enum" in one ? (one.enum ?? []) : [])))(
  "the requirement %s is known",
  (must) => {
    expect(read(`invariants: [{ name: a, requests: ssl, must: ${must} }]`)).toMatchObject([{ must: { kind: must } }]);
  },
);

const invariant = (more: string): string =>
  `invariants:\n  - name: a\n    requests: ssl\n    must: block\n    ${more}\n`;

/** What is wrong, and whether the JSON Schema can tell. */
test.each<[text: string, reason: string, bySchema?: boolean]>([
  ["[]", "a.invariants.yaml:1:1: must be an object with invariants, not a list"],
  ["invariants: []", "1:13: invariants: must not be empty: what must hold: at least one invariant"],
  ["invariants: [1]", "1:14: invariants[0]: must be an object with name, zones, requests, must, except, not a number"],
  ["invariants: [{ requests: ssl, must: block }]", "invariants[0].name: is required: what must hold, in words"],
  [
    "invariants: [{ name: ' ', requests: ssl, must: block }]",
    "invariants[0].name: must not be empty: what must hold, in words",
  ],
  [
    "invariants: [{ name: a, must: block }]",
    "invariants[0].requests: is required: the requests that it is about, as clients send them: a filter of the rules language, or `true` for all",
  ],
  [
    "invariants: [{ name: a, requests: http.hast eq 1, must: block }]",
    "invariants[0].requests: `http.hast` is not a known field. Did you mean `http.host`?",
    false,
  ],
  ["invariants: [{ name: a, requests: http.response.code eq 404, must: block }]", "invariants[0].requests: ", false],
  ["invariants: [{ name: a, requests: 'ssl and', must: block }]", "invariants[0].requests: ", false],
  [
    "invariants: [{ name: a, requests: ssl }]",
    "invariants[0].must: is required: what must happen to these requests, such as `be-stopped` or { redirect: { to, status } }",
  ],
  ["invariants: [{ name: a, requests: ssl, must: stop }]", "invariants[0].must: must be one of be-stopped, block"],
  [
    "invariants: [{ name: a, requests: ssl, must: { redirect: { status: 404 } } }]",
    "invariants[0].must.redirect.status: must be one of 301, 302, 303, 307, 308",
  ],
  ["invariants: [{ name: a, requests: ssl, must: { redirect: 301 } }]", "must.redirect: must be an object with to"],
  [
    "invariants: [{ name: a, requests: ssl, must: { redirect: {}, block: 1 } }]",
    "invariants[0].must.block: is not known here; use redirect, reach-managed-rules",
  ],
  ["invariants: [{ name: a, requests: ssl, must: { reach-managed-rules: 1 } }]", "must be the ID of a managed ruleset"],
  [
    "invariants: [{ name: a, requests: ssl, must: { reach-managed-rules: OWASP } }]",
    "must be the ID of a managed ruleset",
  ],
  ["invariants: [{ name: a, requests: ssl, must: { redirect: { to: example.com } } }]", "redirect.to: must be a URL"],
  [
    "invariants: [{ name: a, requests: false, must: block }]",
    "invariants[0].requests: must be a filter of the rules language, or true for all requests",
  ],
  [invariant("zone: all"), "5:11: invariants[0].zone: is not known here; did you mean zones?"],
  [invariant("zones: some"), "invariants[0].zones: must be all, or an object with name, plan"],
  [
    invariant("zones: { plan: huge }"),
    "invariants[0].zones.plan: must be one of free, pro, business, enterprise, or a list of them",
  ],
  [invariant("zones: { name: [] }"), "invariants[0].zones.name: must not be empty"],
  [invariant("zones: { tag: a }"), "invariants[0].zones.tag: is not known here; use name, plan"],
  [invariant("except: all"), "except: must be a list"],
  [
    invariant("except: [{ zone: a, until: 2027-01-31 }]"),
    "invariants[0].except[0].reason: is required: why it need not hold there",
  ],
  [invariant("except: [{ zone: a, until: 2027-02-30, reason: b }]"), "except[0].until: must be the last day", false],
  [invariant("except: [{ zone: a, until: tomorrow, reason: b }]"), "except[0].until: must be the last day"],
  [invariant("except: [{ until: 2027-01-31, reason: b }]"), "except[0].zone: is required"],
  [`${invariant("zones: all")}  - { name: a, requests: ssl, must: block }`, '"a" is the name of two invariants', false],
])("%j is refused with the place and the reason", (text, reason, bySchema = true) => {
  expect(() => read(text)).toThrow(reason);
  expect(isValid(document(text).value)).toBe(!bySchema);
});
