import { cli, folder } from "./support.js";
import { countsOf } from "../support/preview-counts.js";

/* What the commands for rules take from `pulumi preview --json`, for programs that only the engine can run. */

const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const TESTS = {
  rules: "preview.json",
  tests: [
    { name: "closed", request: "GET https://shop.test/admin", expect: { block: "admin" } },
    { name: "open", request: "GET https://shop.test/", expect: "allow" },
  ],
};
const INVARIANTS = { invariants: [{ name: "admin is closed", requests: ADMIN, must: "be-stopped" }] };

const rule = (more: object = {}) => ({ ref: "admin", action: "block", expression: ADMIN, ...more });
const state = (rules: readonly { readonly ref: string }[], more: object = {}) => ({
  inputs: {
    ...{ zoneId: "z1", phase: "http_request_firewall_custom" },
    rules: Object.fromEntries(rules.map((one) => [one.ref, one])),
    order: rules.map(({ ref }) => `${ref}\n`).join(""),
    ...more,
  },
  outputs: {},
});
const step = (op: string, newState: object | undefined, name = "waf") => ({
  op,
  urn: `urn:pulumi:prod::shop::rulesets:index:PhaseEntrypoint::${name}`,
  ...(op === "create" ? {} : { oldState: state([]) }),
  ...(newState === undefined ? {} : { newState }),
});

interface Shown {
  readonly steps: readonly object[];
  readonly changeSummary?: object;
  readonly diagnostics?: readonly object[];
}
const project = ({ steps, changeSummary = countsOf(steps), diagnostics = [] }: Shown) =>
  folder({
    "preview.json": { steps, diagnostics, changeSummary },
    "shop.firewall.yaml": TESTS,
    "shop.invariants.yaml": INVARIANTS,
  });

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test("tests, checks, proofs and comparisons take the rules that the stack will have", async () => {
  const path = project({ steps: [step("create", state([rule()])), step("delete", undefined, "old")] });
  expect(await cli(["rules", "test"], {}, path)).toMatchObject({ code: 0, stderr: "" });
  expect((await cli(["rules", "check", "preview.json"], {}, path)).stdout).toContain("1 rule in 1 ruleset: 0 errors");
  const proved = await cli(["rules", "prove", "--program", "preview.json"], {}, path);
  expect([proved.code, proved.stdout]).toEqual([0, expect.stringContaining("1 proved")]);
  const other = project({ steps: [step("update", state([rule({ expression: 'http.host eq "a.test"' })]))] });
  const diff = await cli(["rules", "diff", `${path}/preview.json`, `${other}/preview.json`]);
  expect(diff.stdout).toMatch(/blocked by "admin" → allowed/);
  expect((await cli(["rules", "test"], {}, other)).code).toBe(2);
});

test.each<[string, Shown, string]>([
  [
    "that failed",
    { steps: [], diagnostics: [{ severity: "error", message: "error: no token" }] },
    "failed, so rules may be missing in it: no token",
  ],
  [
    "that ended early",
    { steps: [step("create", state([rule()]))], changeSummary: {} },
    "failed, so rules may be missing",
  ],
  [
    "without what does not change",
    { steps: [step("create", state([rule()]))], changeSummary: { create: 1, same: 2 } },
    "run `pulumi preview --json --show-sames > preview.json`",
  ],
])("a preview %s is refused", async (_, shown, message) => {
  const { code, stderr } = await cli(["rules", "test"], {}, project(shown));
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
});

test.each<[string, readonly { readonly ref: string }[], object]>([
  ["an expression is secret", [rule({ expression: "[secret]" })], {}],
  ["an action is not known yet", [rule({ action: UNKNOWN })], {}],
  ["the rules are not known yet", [], { rules: UNKNOWN, order: UNKNOWN }],
])("where %s, tests fail and nothing is proved", async (_, rules, more) => {
  const path = project({ steps: [step("create", state(rules, more))] });
  const { code, stdout } = await cli(["rules", "test"], {}, path);
  expect([code, stdout]).toEqual([2, expect.stringContaining("0 passed, 2 failed")]);
  expect((await cli(["rules", "prove", "--program", "preview.json"], {}, path)).code).toBe(2);
});

const secret = (plain: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(plain),
});
const twoZones = (zoneId: unknown, other = zoneId) => ({
  steps: [step("create", state([rule()], { zoneId }), "za"), step("create", state([], { zoneId: other }), "zb")],
  changeSummary: { create: 2 },
});

test.each<[string, Shown]>([
  ["secret", twoZones("[secret]")],
  ["not known yet", twoZones(UNKNOWN)],
  ["a secret in a state", twoZones(secret("z1"))],
  ["secret for one of them", twoZones("z1", "[secret]")],
])("rules of two zones whose IDs are %s are not taken for rules of one zone", async (_, shown) => {
  const path = project(shown);
  const tested = await cli(["rules", "test"], {}, path);
  expect([tested.code, tested.stderr]).toEqual([
    1,
    expect.stringContaining("which rules are of one zone is not known"),
  ]);
  const tried = await cli(["rules", "try", "preview.json", "-r", "GET https://shop.test/admin"], {}, path);
  expect(tried.code).toBe(1);
  const proved = await cli(["rules", "prove", "--program", "preview.json"], {}, path);
  expect([proved.code, proved.stdout]).toEqual([2, expect.not.stringContaining("1 proved")]);
  const diff = await cli(["rules", "diff", "preview.json", "preview.json"], {}, path);
  expect([diff.code, diff.stderr]).toEqual([1, expect.stringContaining("which rules are of one zone is not known")]);
});

test("rules of one zone whose ID is secret are proved and tested", async () => {
  const path = project({ steps: [step("create", state([rule()], { zoneId: "[secret]" }))] });
  expect((await cli(["rules", "test"], {}, path)).code).toBe(0);
  expect((await cli(["rules", "prove", "--program", "preview.json"], {}, path)).code).toBe(0);
});

const content = { response: { content: "[secret]", contentType: "text/plain", statusCode: 403 } };
test.each<[string, object, string]>([
  ["expression is secret", { expression: "[secret]" }, ".expression"],
  ["expression is a secret in a state", { expression: secret("hunter2") }, ".expression"],
  ["expression is not known yet", { expression: UNKNOWN }, ".expression"],
  ["action is not known yet", { action: UNKNOWN }, ", except its expression"],
  ["response is secret", { actionParameters: content }, ".actionParameters.response.content"],
])("a rule whose %s is checked as far as it is known, and the rest is named", async (_, more, field) => {
  const path = project({ steps: [step("create", state([rule(more)]))] });
  const { code, stdout } = await cli(["rules", "check", "preview.json"], {}, path);
  expect([code, stdout]).toEqual([
    3,
    expect.stringContaining(`Not checked: waf rules[0]${field}: the preview hides it`),
  ]);
  expect(stdout).toContain("0 errors");
  expect(stdout).not.toMatch(/hunter2|opaque/);
  const wrong = project({ steps: [step("create", state([rule({ ...more, descripton: "x" })]))] });
  const allowed = (folder: string) => cli(["rules", "check", "preview.json", "--allow-unknown"], {}, folder);
  expect(await allowed(path)).toMatchObject({ code: 0, stdout });
  const found = await allowed(wrong);
  if (field.startsWith(".")) expect([found.code, found.stdout]).toEqual([2, expect.stringContaining("descripton")]);
});

test.each<[string, object]>([
  ["an order is secret", { order: "[secret]" }],
  ["an order is not known yet", { order: UNKNOWN }],
  ["rules are a secret in a state", { rules: secret("x") }],
  ["an expression is a secret in a state", { rules: { admin: rule({ expression: secret("true") }) } }],
])("where %s, nothing is proved", async (_, more) => {
  const path = project({ steps: [step("create", state([rule()], more))] });
  const { code, stderr } = await cli(["rules", "prove", "--program", "preview.json"], {}, path);
  expect([code, stderr]).toEqual([2, ""]);
  expect(await cli(["rules", "test"], {}, path)).toMatchObject({ code: 2, stderr: "" });
});

test("zones that the program creates are told apart by their resources, each with all of its rules", async () => {
  const zoneUrn = (name: string): string => `urn:pulumi:prod::shop::cloudflare:index/zone:Zone::${name}`;
  const zone = (name: string, op = "create") => {
    const urn = zoneUrn(name);
    return { op, urn, newState: { urn, custom: true, inputs: { name: `${name}.example.org` }, outputs: {} } };
  };
  const inZone = (of: string | undefined, name: string, rules: Parameters<typeof state>[0], phase: object = {}) => {
    const { newState, ...made } = step("create", state(rules, { zoneId: UNKNOWN, ...phase }), name);
    const zoneId = of === undefined ? [] : [zoneUrn(of)];
    return { ...made, newState: { ...newState, urn: made.urn, propertyDependencies: { zoneId } } };
  };
  const prove = async (...steps: readonly object[]) => {
    const path = project({ steps });
    const { code, stdout } = await cli(["rules", "prove", "--program", "preview.json"], {}, path);
    return { code, stdout };
  };
  const late = inZone("shop", "late", [], { phase: "http_request_late_transform" });
  const shop = [zone("shop"), inZone("shop", "waf", [rule()]), late];
  const closed = await prove(...shop, zone("blog"), inZone("blog", "blog-waf", [rule()]));
  expect(closed.stdout).toContain("  proved in the new zone shop.example.org, the new zone blog.example.org");
  expect(closed.code).toBe(0);

  const open = await prove(...shop, zone("blog"), inZone("blog", "blog-waf", []));
  expect(open.stdout).toContain("  violated in the new zone blog.example.org\n    GET https://blog.example.org/admin");
  expect(open.stdout).toContain("  proved in the new zone shop.example.org");
  expect(open.code).toBe(2);

  const other = await prove(...shop, inZone(undefined, "other", []));
  expect(other.stdout).toMatch(
    / {2}unknown in the new zone shop\.example\.org\n {4}.* rules of zones whose IDs are not known yet/,
  );
  expect(other.stdout).toContain("  unknown in zone of other (known after `pulumi up`)");
  expect(other.code).toBe(2);

  const both = project({ steps: [...shop, inZone(undefined, "other", [])] });
  const diff = await cli(["rules", "diff", "preview.json", "preview.json"], {}, both);
  expect([diff.code, diff.stderr]).toEqual([1, expect.stringContaining("which rules are of one zone is not known")]);
  expect((await cli(["rules", "test"], {}, both)).stderr).toContain("which rules are of one zone is not known");

  const existing = await prove(zone("shop", "update"), inZone("shop", "waf", [rule()]));
  expect(existing.stdout).toContain("  unknown in zone of waf (known after `pulumi up`)");
  expect(existing.code).toBe(2);
});
