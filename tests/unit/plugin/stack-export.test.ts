import { resourcesIn } from "../../../provider/plugin/stack-export.js";

const PROVIDER = "urn:pulumi:dev::shop::pulumi:providers:rulesets::";

describe("the provider of a resource in an exported stack", () => {
  test.each([
    ["is the one that asks", "default_1_0_0", "default_1_0_0", false],
    ["is the one that asks, after an upgrade of the package", "default_1_0_0", "default_1_1_0", false],
    ["is the one that asks, of a package without a version", "default", "default_1_1_0", false],
    ["is another one", "blog", "default_1_0_0", true],
    ["is another one with a similar name", "blog_2", "blog", true],
  ])("%s", (_, ofResource, asking, isOthers) => {
    const resource = {
      urn: "urn:pulumi:dev::shop::rulesets:index:PhaseEntrypoint::waf",
      type: "rulesets:index:PhaseEntrypoint",
      provider: `${PROVIDER}${ofResource}::04da6b54-80e4-46f7-96ec-b56ff0331ba9`,
      outputs: {},
    };
    const [found] = resourcesIn({ deployment: { resources: [resource] } }, `${PROVIDER}${asking}`);
    expect(found?.isOthers).toBe(isOthers);
  });
});

test("zones of an exported stack are known by their URNs, unless they are about to be deleted", () => {
  const zone = (name: string, more: object = {}) => ({
    urn: `urn:pulumi:dev::shop::cloudflare:index/zone:Zone::${name}`,
    type: "cloudflare:index/zone:Zone",
    ...more,
  });
  const resources = [zone("shop", { outputs: { name: "example.com" } }), zone("old", { delete: true })];
  expect(resourcesIn({ deployment: { resources } }, "")).toEqual([
    { type: "any/Zone", state: { __urn: zone("shop").urn } },
  ]);
});
