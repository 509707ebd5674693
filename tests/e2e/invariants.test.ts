import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { pluginProject } from "./support/plugin-project.js";
import type { ProjectStack } from "./support/project.js";
import { EngineStack, type Library } from "./support/stack.js";

/* What must hold for every zone is judged in previews of the real engine, before anything is written. */

/** A stand-in for the plugin of `@pulumi/cloudflare`. */
const standIn = join(__dirname, "support", "cloudflare-plugin");
const modules = join(__dirname, "..", "..", "node_modules");

interface Args {
  readonly zoneId: string;
  /** The path that is closed. */
  readonly path: string;
}
const dynamic = ({ PhaseEntrypoint }: Library, { zoneId, path }: Args) => {
  const rules = [
    { action: "block" as const, ref: "admin", expression: `starts_with(http.request.uri.path, "${path}")` },
  ];
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules });
};
/** The same, and a rewrite that gets requests past it. */
const rewriting = ({ PhaseEntrypoint }: Library, { zoneId, path }: Args) => {
  const closed = [
    { action: "block" as const, ref: "admin", expression: `starts_with(http.request.uri.path, "${path}")` },
  ];
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules: closed });
  const actionParameters = { uri: { path: { value: "/home" } } };
  const rules = [{ ref: "past", action: "rewrite", expression: "true", actionParameters }] as const;
  new PhaseEntrypoint("rewrites", { zoneId, phase: "http_request_transform", rules });
};
/** The same, and a zone with a provider of its own. */
const withBlog = (
  { PhaseEntrypoint, Provider }: Library,
  { zoneId, path, blogId, settings }: Args & { readonly blogId: string; readonly settings: object },
) => {
  const entrypoint = (name: string, zone: string, closed: string, opts: object): void => {
    const rules = [
      { action: "block" as const, ref: "admin", expression: `starts_with(http.request.uri.path, "${closed}")` },
    ];
    new PhaseEntrypoint(name, { zoneId: zone, phase: "http_request_firewall_custom", rules }, opts);
  };
  entrypoint("waf", zoneId, path, {});
  entrypoint("blog", blogId, "/admin", { provider: new Provider("blog", settings) });
};
/** The same, and zones that it creates. Each path is closed by a shared list of its own. */
const creating = (
  { pulumi, PhaseEntrypoint }: Library,
  { shop, blog, zoneId }: Pick<Args, "zoneId"> & { readonly shop: readonly string[]; readonly blog: readonly string[] },
) => {
  class Zone extends pulumi.CustomResource {
    declare readonly name: unknown;
    constructor(name: string) {
      super("cloudflare:index/zone:Zone", name, { name: `${name}.example.org` }, { version: "6.22.1" });
    }
  }
  for (const [name, paths] of Object.entries({ shop, blog })) {
    const zone = new Zone(name);
    for (const [index, path] of paths.entries()) {
      const rules = [
        {
          action: "block" as const,
          ref: `closed-${String(index)}`,
          expression: `starts_with(http.request.uri.path, "${path}")`,
        },
      ];
      const phase = "http_request_firewall_custom";
      new PhaseEntrypoint(`${name}-${String(index)}`, { zoneId: zone.id, phase, rules, ownership: "shared" });
    }
  }
  const waf = [{ action: "block" as const, ref: "admin", expression: 'starts_with(http.request.uri.path, "/a")' }];
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules: waf });
};
/** Rules of a zone that a lookup finds, by a name that is known only once another resource exists. */
const lookedUp = ({ PhaseEntrypoint, getZoneOutput }: Library, { zoneId, path }: Args) => {
  const admin = { action: "block" as const, ref: "admin", expression: 'starts_with(http.request.uri.path, "/a")' };
  new PhaseEntrypoint("waf", { zoneId, phase: "http_request_firewall_custom", rules: [admin] });
  const first = new PhaseEntrypoint("first", { zoneId, phase: "http_request_transform", rules: [] });
  const zone = getZoneOutput({ name: first.version.apply(() => "blog.example.com") });
  const rules = [
    { action: "block" as const, ref: "admin", expression: `starts_with(http.request.uri.path, "${path}")` },
  ];
  new PhaseEntrypoint("blog", { zoneId: zone.id, phase: "http_request_firewall_custom", rules });
};
const plugin = ({ pulumi }: Library, { zoneId, path }: Args) => {
  class Entrypoint extends pulumi.CustomResource {}
  const rules = [{ ref: "admin", action: "block", expression: `starts_with(http.request.uri.path, "${path}")` }];
  new Entrypoint("rulesets:index:PhaseEntrypoint", "waf", { zoneId, phase: "http_request_firewall_custom", rules });
};

describe.each([
  ["the dynamic provider", dynamic],
  ["the plugin", plugin],
] as const)("invariants in previews of %s", (name, program) => {
  const folder = mkdtempSync(join(tmpdir(), "invariants-"));
  const file = join(folder, "zones.invariants.yaml");
  let stack: EngineStack;
  let zoneId: string;
  let blogId: string;
  beforeAll(async () => {
    const requests = 'starts_with(http.request.uri.path, "/admin")';
    writeFileSync(file, `invariants: [{ name: admin is closed, requests: '${requests}', must: block }]\n`);
    stack = await EngineStack.start({ seed: { zones: [{ name: "shop.example.com" }, { name: "blog.example.com" }] } });
    zoneId = await stack.service.zoneNamed("shop.example.com");
    blogId = await stack.service.zoneNamed("blog.example.com");
  });
  afterAll(async () => {
    await stack.close();
    rmSync(folder, { recursive: true });
  });

  test("what no resource mends is an error at the end; what a change breaks stops it before anything is written", async () => {
    await stack.setConfig({ "rulesets:invariants": { value: file } });
    const open = await stack.preview(program, { zoneId, path: "/other" });
    expect(open.ok).toBe(false);
    expect(open.text).toMatch(/ {2}GET https:\/\/shop\.example\.com\/admin from \S+: allowed/);
    // The plugin cannot preview a program of the Automation API once more.
    const why =
      name === "the plugin"
        ? "whether a later resource of the program mends what is not in order here is not known"
        : 'with everything that the program declares, the invariant "admin is closed" is violated in shop.example.com:';
    expect(open.text).toMatch(new RegExp(`error: .*${why}`));

    expect(await stack.up(program, { zoneId, path: "/admin" })).toMatchObject({ ok: true });
    const broken = await stack.up(program, { zoneId, path: "/administration" });
    expect(broken.ok).toBe(false);
    expect(broken.text).toContain('with this change, the invariant "admin is closed" is violated in shop.example.com:');
    expect(writesIn(broken.requests)).toEqual([]);
    expect(await stack.up(program, { zoneId, path: "/a" })).toMatchObject({ ok: true });
  });

  if (name === "the dynamic provider") {
    test("zones that the program creates are told apart, with their names", async () => {
      stack.setEnv({ PATH: [standIn, process.env.PATH].join(delimiter) });
      const apart = await stack.preview(creating, { shop: ["/admin"], blog: ["/x", "/y"], zoneId });
      expect(apart.text).toMatch(
        /error: .*with everything that the program declares, the invariant "admin is closed" is violated in the new zone blog\.example\.org:/,
      );
      expect(apart.text).toContain("GET https://blog.example.org/admin");
      expect(apart.ok).toBe(false);
      const args = { shop: ["/admin", "/x"], blog: ["/x", "/admin"], zoneId };
      expect(await stack.preview(creating, args)).toMatchObject({ ok: true });
    });

    test("rules of a zone that a lookup finds later are named in the preview, and judged before they are written", async () => {
      const args = { zoneId, path: "/x" };
      const preview = await stack.preview(lookedUp, args);
      expect(preview.text).toContain(
        "invariants are not judged for the rules of blog, because the ID of the zone is not known",
      );
      const up = await stack.up(lookedUp, args);
      expect(up.text).toMatch(
        /resource 'blog' has a problem: with everything that the program declares, the invariant "admin is closed" is violated in blog\.example\.com:/,
      );
      expect(up.ok).toBe(false);
      expect(writesIn(up.requests)).toEqual([`POST /zones/${zoneId}/rulesets`]);
    });

    test("what another provider of the program manages has not left it", async () => {
      const settings = { apiToken: TOKEN, baseUrl: stack.service.emulator.url, invariants: file };
      const args = { zoneId, path: "/a", blogId, settings };
      expect(await stack.preview(withBlog, args)).toMatchObject({ ok: true });
    });

    test("an up that mends a zone by removing a resource passes, as its preview does", async () => {
      await stack.setConfig({ "rulesets:invariants": { value: "" } });
      expect(await stack.up(rewriting, { zoneId, path: "/adm" })).toMatchObject({ ok: true });
      await stack.setConfig({ "rulesets:invariants": { value: file } });
      const mended = await stack.up(dynamic, { zoneId, path: "/admin" });
      expect(mended.text).toContain("is violated in shop.example.com, also without this resource:");
      expect(mended).toMatchObject({ ok: true });
    });
  }
});

describe("the plugin, where several resources protect a zone together", () => {
  const FIREWALL = [
    "http_request_firewall_custom",
    "action: block, expression: 'starts_with(http.request.uri.path, \"/admin\")'",
  ];
  const LIMIT = [
    "http_ratelimit",
    "action: block, expression: 'starts_with(http.request.uri.path, \"/api\")', ratelimit: " +
      '{ characteristics: ["ip.src", "cf.colo.id"], period: 60, requestsPerPeriod: 100, mitigationTimeout: 60 }',
  ];
  let emulator: Emulator;
  let stack: ProjectStack;
  let file: string;
  const ids: Record<string, string> = {};
  /** Entry points of zones by name, each zone with a provider of its own. */
  const program = (zones: Readonly<Record<string, readonly (readonly string[])[]>>, invariants = file): void => {
    const resources = Object.entries(zones).flatMap(([zone, entrypoints]) => [
      `  ${zone}: { type: "pulumi:providers:rulesets", properties: { invariants: "${invariants}" } }`,
      ...entrypoints.map(([phase = "", rule = ""]) =>
        [
          `  ${zone}-${phase}:`,
          "    type: rulesets:PhaseEntrypoint",
          "    properties:",
          `      zoneId: ${ids[zone] ?? ""}`,
          `      phase: ${phase}`,
          `      rules: [{ ${rule} }]`,
          `    options: { provider: "\${${zone}}" }`,
        ].join("\n"),
      ),
    ]);
    stack.write("Pulumi.yaml", `name: shop\nruntime: yaml\nresources:\n${resources.join("\n")}\n`);
  };
  const preview = () => stack.run("preview");
  beforeAll(async () => {
    emulator = await startEmulator({ seed: { zones: [{ name: "shop.example.com" }, { name: "blog.example.com" }] } });
    const service = new Service(emulator);
    for (const zone of ["shop", "blog"]) ids[zone] = await service.zoneNamed(`${zone}.example.com`);
    stack = pluginProject(service, { PATH: [join(modules, ".bin"), standIn, process.env.PATH].join(delimiter) });
    const invariants = [
      { name: "admin is closed", requests: 'starts_with(http.request.uri.path, "/admin")', must: "block" },
      { name: "the API is limited", requests: 'starts_with(http.request.uri.path, "/api")', must: "be-limited" },
    ];
    file = join(stack.folder, "zones.invariants.yaml");
    stack.write("zones.invariants.yaml", JSON.stringify({ invariants }));
    program({ shop: [FIREWALL] });
    await stack.initStack();
  });
  afterAll(async () => {
    stack.close();
    await emulator.close();
  });

  test("a preview fails where no resource mends the zone, and passes where a later one does", async () => {
    const open = await preview();
    expect(open.text).toMatch(
      /error: .*with everything that the program declares, the invariant "the API is limited" is violated in shop\.example\.com/,
    );
    expect(open.ok).toBe(false);

    program({ shop: [FIREWALL, LIMIT] });
    expect(await stack.run("up", "--yes")).toMatchObject({ ok: true });
  });

  test("what another provider of the program manages has not left it", async () => {
    program({ shop: [FIREWALL, LIMIT], blog: [FIREWALL, LIMIT] });
    expect(await preview()).toMatchObject({ ok: true });
  });

  test("resources that --target leaves out have not left the program, and their changes are not judged", async () => {
    const target = ["--target", "**PhaseEntrypoint::shop-http_request_firewall_custom"];
    const [phase = "", rule = ""] = FIREWALL;
    program({ shop: [[phase, rule.replace("/admin", "/adm")], LIMIT] });
    const others = await stack.run("preview", ...target);
    expect(others.text).not.toContain("is violated");
    expect(others).toMatchObject({ ok: true });
    program({ shop: [[phase, rule.replace("/admin", "/administration")], LIMIT] });
    const broken = await stack.run("preview", ...target);
    expect(broken.text).toContain('with this change, the invariant "admin is closed" is violated in shop.example.com');
    expect(broken.ok).toBe(false);
  });

  test("a preview fails where what leaves the program protected a zone in which nothing else is open", async () => {
    program({ shop: [FIREWALL] });
    const left = await preview();
    expect(left.text).toMatch(
      /error: .*with everything that the program declares, the invariant "the API is limited" is violated in shop\.example\.com/,
    );
    expect(left.ok).toBe(false);
  });

  test("a preview that mends a zone by removing a resource shows no error", async () => {
    const rewrite = "action: rewrite, expression: ssl, actionParameters: { uri: { path: { value: /other } } }";
    program({ shop: [FIREWALL, LIMIT, ["http_request_transform", rewrite]] }, "");
    expect(await stack.run("up", "--yes")).toMatchObject({ ok: true });
    program({ shop: [FIREWALL, LIMIT] });
    const mended = await preview();
    expect(mended.text).not.toContain("error:");
    expect(mended.ok).toBe(true);
    expect(await stack.run("up", "--yes")).toMatchObject({ ok: true });
  });

  test("rules of a zone that a lookup finds later are named in the preview, and judged before they are written", async () => {
    const entrypoint = (name: string, zone: string, phase: string, rule: string): string =>
      `  ${name}: { type: "rulesets:PhaseEntrypoint", options: { provider: "\${own}" }, ` +
      `properties: { zoneId: "${zone}", phase: ${phase}, rules: [{ ${rule} }] } }`;
    const [phase = "", closed = ""] = FIREWALL;
    const lines = [
      ...["name: shop", "runtime: yaml", "variables:"],
      "  zone:",
      '    fn::invoke: { function: rulesets:getZone, arguments: { name: "${first.deployedRules[0].description}" }, return: id }',
      "resources:",
      `  own: { type: "pulumi:providers:rulesets", properties: { invariants: ${file} } }`,
      entrypoint(
        "first",
        ids.shop ?? "",
        "http_request_late_transform",
        "description: blog.example.com, action: rewrite, expression: ssl, " +
          "actionParameters: { headers: { X-Shop: { operation: set, value: x } } }",
      ),
      entrypoint("later", "${zone}", phase, closed),
    ];
    stack.write("Pulumi.yaml", [...lines, ""].join("\n"));
    await stack.initStack("lookup");
    const up = await stack.run("up", "--yes", "--stack", "lookup");
    expect(up.text).toContain(
      "invariants are not judged for the rules of later, because the ID of the zone is not known",
    );
    expect(up.text).toMatch(
      /resource 'later' has a problem: with everything that the program declares, the invariant "the API is limited" is violated in blog\.example\.com:/,
    );
    expect(up.ok).toBe(false);
  });

  test("zones that the program creates are told apart, with their names", async () => {
    const created = (zones: Readonly<Record<string, readonly (readonly string[])[]>>) => {
      const resources = Object.entries(zones).flatMap(([zone, entrypoints]) => [
        `  ${zone}: { type: "cloudflare:index:Zone", properties: { name: ${zone}.example.org } }`,
        ...entrypoints.map(
          ([phase = "", rule = ""]) =>
            `  ${zone}-${phase}: { type: "rulesets:PhaseEntrypoint", options: { provider: "\${own}" }, ` +
            `properties: { zoneId: "\${${zone}.id}", phase: ${phase}, rules: [{ ${rule} }] } }`,
        ),
      ]);
      const provider = `  own: { type: "pulumi:providers:rulesets", properties: { invariants: ${file} } }`;
      stack.write("Pulumi.yaml", ["name: shop", "runtime: yaml", "resources:", provider, ...resources, ""].join("\n"));
      return stack.run("preview", "--stack", "zones");
    };
    await stack.initStack("zones");
    const apart = await created({ shop: [FIREWALL, LIMIT], blog: [FIREWALL] });
    expect(apart.text).toMatch(
      /error: .*with everything that the program declares, the invariant "the API is limited" is violated in the new zone blog\.example\.org:/,
    );
    expect(apart.ok).toBe(false);
    expect(await created({ shop: [FIREWALL, LIMIT], blog: [FIREWALL, LIMIT] })).toMatchObject({ ok: true });
  });
});
