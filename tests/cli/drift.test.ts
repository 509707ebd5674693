import { chmodSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { inSchemaForm } from "../../provider/engine/schema-form.js";
import { withoutTexts } from "../../provider/engine/stored-as-json.js";
import { isObject, omit, type JsonObject } from "../../core/model/json.js";
import { ManagedResource, type StoredResource } from "../lifecycle/managed.js";
import type { RunOptions } from "../lifecycle/run.js";
import { secret } from "../lifecycle/secrets-apart.js";
import { Service, TOKEN } from "../support/emulator.js";
import { writesIn } from "../support/requests.js";
import { cli, folder, newFile, type Finished } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

const phase = "http_request_firewall_custom";
const URN = "urn:pulumi:prod::firewall::";
const DEFAULT = `${URN}pulumi:providers:pulumi-nodejs::default`;
const OTHER = `${URN}pulumi:providers:pulumi-nodejs::other`;

type Resource = ManagedResource<Record<string, unknown>, StoredResource<Record<string, unknown>>>;
interface Found {
  readonly stacks: readonly {
    readonly stack: string;
    readonly compared: number;
    readonly drift: readonly {
      readonly resource: string;
      readonly op: string;
      readonly rules?: readonly { readonly change: string; readonly ref: string; readonly foreign?: boolean }[];
      readonly fields?: readonly { readonly field: string }[];
      readonly notes: readonly string[];
    }[];
    readonly notRead: readonly { readonly name: string; readonly reason: string }[];
  }[];
}

/** A secret as `pulumi stack export` prints it, with `--show-secrets` or without. */
function exported(value: unknown, shown: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => exported(item, shown));
  if (!isObject(value)) return value;
  const { "4dabf18193072939515e22adb298388d": mark, value: inside, ...rest } = value;
  if (mark !== undefined) {
    const content = shown ? { plaintext: JSON.stringify(inside) } : { ciphertext: "v1:abc" };
    return { "4dabf18193072939515e22adb298388d": mark, ...content };
  }
  return Object.fromEntries(
    Object.entries({ ...rest, ...(inside === undefined ? {} : { value: inside }) }).map(([name, item]) => [
      name,
      exported(item, shown),
    ]),
  );
}

const rule = (ref: string, more: object = {}) => {
  return { ref, description: `Rule ${ref}`, action: "block", expression: `http.host eq "${ref}"`, ...more };
};

describe("drift", () => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  let resources: Resource[];
  beforeEach(async () => {
    emulator = await emulatorWith({ token: TOKEN });
    service = new Service(emulator);
    zoneId = await service.zone();
    resources = [];
  });

  const add = async (kind: string, name: string, args: object, settings: RunOptions = {}): Promise<Resource> => {
    const urn = `${URN}pulumi-nodejs:dynamic/rulesets:${kind}::${name}`;
    const resource: Resource = new ManagedResource(kind, service, urn, emulator.url, settings);
    await resource.up(args);
    resources.push(resource);
    return resource;
  };
  const entrypoint = (name = "waf", more: object = {}) =>
    add("PhaseEntrypoint", name, { zoneId, phase, rules: ["a", "b", "c"].map((ref) => rule(ref)), ...more });
  const there = async (where = phase) => {
    const found = await service.entrypoint(zoneId, where);
    if (found === undefined) throw new Error("no entry point");
    return found;
  };

  interface ExportOptions {
    readonly shown?: boolean;
    readonly provider?: string;
    readonly more?: readonly object[];
    readonly change?: (resource: Record<string, unknown>) => Record<string, unknown>;
    readonly pending?: readonly object[];
    readonly token?: unknown;
    readonly address?: unknown;
  }
  /** What `pulumi stack export` prints. */
  const stateOf = ({
    shown = true,
    provider = DEFAULT,
    more = [],
    change = (same) => same,
    pending,
    token = TOKEN,
    address = emulator.url,
  }: ExportOptions = {}): string => {
    const config = { "rulesets:baseUrl": address, "rulesets:maxRetries": "0", "rulesets:apiToken": token };
    const list = resources.flatMap(({ kind, urn, stored }) => {
      if (stored === undefined) return [];
      const { id, inputs, outputs } = stored;
      const __provider = "exports.handler = …";
      const state = {
        urn,
        custom: true,
        id,
        type: `pulumi-nodejs:dynamic/rulesets:${kind}`,
        provider: `${provider}::00`,
      };
      return [change({ ...state, inputs: { __provider, ...inputs }, outputs: { __provider, ...outputs } })];
    });
    const root = { urn: `${URN}pulumi:pulumi:Stack::firewall-prod`, type: "pulumi:pulumi:Stack" };
    const providers = [DEFAULT, OTHER].map((urn) => ({
      urn,
      id: "00",
      type: "pulumi:providers:pulumi-nodejs",
      inputs: config,
    }));
    const deployment = { resources: [root, ...providers, ...list, ...more], pending_operations: pending };
    return JSON.stringify(exported({ version: 3, deployment }, shown));
  };
  const run = async (
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<Finished & { readonly requests: string[] }> => {
    await service.forget();
    const nothing = {
      RULESETS_API_TOKEN: "",
      CLOUDFLARE_API_TOKEN: "",
      RULESETS_BASE_URL: "",
      CLOUDFLARE_BASE_URL: "",
    };
    const finished = await cli(["drift", ...args], { ...nothing, ...env });
    return { ...finished, requests: await service.requests() };
  };
  const inState = (options: ExportOptions = {}, env: Record<string, string> = {}) =>
    run(["--state", newFile("state.json", stateOf(options)), "--json"], env);
  const foundIn = ({ stdout }: Finished) => {
    const [only] = (JSON.parse(stdout) as Found).stacks;
    if (only === undefined) throw new Error("no stack");
    return only;
  };
  const foreign = {
    action: "skip",
    expression: "true",
    description: "oops everything",
    action_parameters: { ruleset: "current" },
    position: { before: "" },
  };

  test("is found in states of the provider plugin, with its credentials", async () => {
    await entrypoint();
    const plugin = `${URN}pulumi:providers:rulesets::default`;
    const settings = { apiToken: TOKEN, baseUrl: emulator.url, maxRetries: "0" };
    const provider = { urn: plugin, id: "00", type: "pulumi:providers:rulesets", inputs: settings };
    const ofPlugin = ({ urn, inputs, outputs, ...one }: Record<string, unknown>): Record<string, unknown> => {
      const state = withoutTexts(omit(outputs as JsonObject, ["__provider", "__urn"]), ["rules", "deployedRules"]);
      return {
        ...one,
        urn: String(urn).replace("pulumi-nodejs:dynamic/rulesets:", "rulesets:index:"),
        type: "rulesets:index:PhaseEntrypoint",
        provider: `${plugin}::00`,
        inputs: omit(inputs as JsonObject, ["__provider", "__urn"]),
        outputs: inSchemaForm({ keyed: true }, state as JsonObject),
      };
    };
    const options = { more: [provider], token: "a token of another provider", change: ofPlugin };
    const quiet = await inState(options);
    expect([quiet.code, foundIn(quiet)]).toMatchObject([0, { compared: 1, drift: [], notRead: [] }]);
    const { id, rules } = await there();
    await service.editRule(`zones/${zoneId}`, id, rules[1]?.id ?? "", { ...rule("b"), enabled: false });
    const edited = await inState(options);
    expect(edited.code).toBe(2);
    expect(foundIn(edited).drift).toMatchObject([
      { resource: "waf", rules: [{ ref: "b", change: "weakened" }, { ref: "a" }, { ref: "c" }] },
    ]);
  });

  test("is none where nothing changed: one list for each zone, no write, exit code 0", async () => {
    await entrypoint();
    await add("PhaseEntrypoint", "limits", { zoneId, phase: "http_request_firewall_managed", rules: [] });
    const result = await inState();
    expect([result.code, result.requests]).toEqual([0, [`GET /zones/${zoneId}/rulesets`]]);
    expect(foundIn(result)).toMatchObject({ stack: "firewall/prod", compared: 2, drift: [], notRead: [] });
  });

  test("names foreign, edited, removed and moved rules, for one more request for each changed ruleset", async () => {
    await entrypoint();
    await add("PhaseEntrypoint", "managed", { zoneId, phase: "http_request_firewall_managed", rules: [] });
    const { id, rules } = await there();
    const scope = `zones/${zoneId}`;
    await service.addRule(scope, id, foreign);
    await service.deleteRule(scope, id, rules[1]?.id ?? "");
    await service.editRule(scope, id, rules[2]?.id ?? "", { ...rule("c"), action: "log", position: { before: "" } });
    const file = newFile("state.json", stateOf());
    const result = await run(["--state", file]);
    expect([result.code, result.requests]).toEqual([
      2,
      [`GET /zones/${zoneId}/rulesets`, `GET /zones/${zoneId}/rulesets/phases/${phase}/entrypoint`],
    ]);
    expect(result.stdout).toContain("firewall/prod: 1 of 2 resources changed by others.");
    expect(result.stdout).toContain(`${phase} of zone ${zoneId} (waf) was changed by others:`);
    expect(result.stdout).toContain('removed "Rule b": block when http.host eq "b"');
    expect(result.stdout).toMatch(/edited, moved "Rule c" from after "Rule b" to the top \(block → log\)\n/);
    expect(result.stdout).toContain('foreign "oops everything" (skips the rest of the ruleset): skip when true');
    expect(result.stdout).toContain("Lets requests through that were stopped.");
    const json = foundIn(await run(["--state", file, "--json"]));
    expect(json.drift[0]?.rules?.map(({ change, ref }) => [change, ref.length < 9 ? ref : "foreign"])).toEqual([
      ["removed", "b"],
      ["weakened", "c"],
      ["added", "foreign"],
      ["unchanged", "a"],
    ]);
    const markdown = await run(["--state", file, "--markdown"]);
    expect(markdown.code).toBe(2);
    expect(markdown.stdout).toContain("### firewall/prod: 1 of 2 resources changed by others.");
    expect(markdown.stdout).toContain("| **foreign** | oops everything |");
  });

  test("does not include rules of others in a shared ruleset, and sees each single rule", async () => {
    await entrypoint("part", { ownership: "shared", rules: [rule("a")] });
    await add("RulesetRule", "single", { zoneId, phase, ...rule("b") });
    const { id, rules } = await there();
    await service.addRule(`zones/${zoneId}`, id, foreign);
    expect((await inState()).code).toBe(0);
    await service.editRule(`zones/${zoneId}`, id, rules[1]?.id ?? "", { ...rule("b"), action: "log" });
    const edited = await inState();
    expect(edited.code).toBe(2);
    expect(foundIn(edited).drift).toMatchObject([{ resource: "single", rules: [{ change: "weakened", ref: "b" }] }]);
    await service.deleteRule(`zones/${zoneId}`, id, rules[1]?.id ?? "");
    expect(foundIn(await inState()).drift).toMatchObject([{ resource: "single", op: "gone" }]);
  });

  test("names a ruleset that is gone, and other kinds of resources", async () => {
    await entrypoint();
    await add("TotalTlsCa", "total", { zoneId, certificateAuthority: "google" });
    await service.delete(`zones/${zoneId}`, (await there()).id);
    await service.ask("POST", `/zones/${zoneId}/acm/total_tls`, {
      enabled: true,
      certificate_authority: "lets_encrypt",
    });
    const { drift } = foundIn(await inState());
    expect(drift).toMatchObject([
      { resource: "waf", op: "gone", rules: [{ change: "removed" }, { change: "removed" }, { change: "removed" }] },
      { resource: "total", fields: [{ field: "certificateAuthority", before: "google", after: "lets_encrypt" }] },
    ]);
  });

  test("leaves items of others in a shared list alone, and names the list where a run was killed", async () => {
    const accountId = await service.account();
    const args = (...items: string[]) => ({ accountId, name: "office", kind: "ip", ownership: "shared", items });
    const list = await add("RulesList", "office", args("192.0.2.1"));
    const recorded = list.kept;
    await list.up(args("192.0.2.1", "192.0.2.66"));
    // The engine has recorded nothing of a run that was killed, but that it was changing the list.
    list.kept = recorded;
    expect(await list.up(args("192.0.2.1"))).toMatchObject({ action: "none", requests: [] });
    const { urn, id, inputs } = { urn: list.urn, ...list.stored };
    const type = "pulumi-nodejs:dynamic/rulesets:RulesList";
    const killed = await inState({ pending: [{ resource: { urn, type, id, inputs }, type: "updating" }] });
    expect([killed.code, foundIn(killed).drift, foundIn(killed).notRead]).toEqual([
      3,
      [],
      [expect.objectContaining({ name: "RulesList office", reason: expect.stringMatching("interrupted") as string })],
    ]);
    // A bot fills the list: its items are its own.
    const bot = await inState({});
    expect([bot.code, foundIn(bot).compared]).toEqual([0, 1]);
  });

  test("still names what a refresh has recorded", async () => {
    const waf = await entrypoint();
    const { id, rules } = await there();
    await service.addRule(`zones/${zoneId}`, id, foreign);
    await service.editRule(`zones/${zoneId}`, id, rules[2]?.id ?? "", { ...rule("c"), action: "log" });
    await waf.refresh();
    const result = await inState();
    expect([result.code, result.requests]).toEqual([2, [expect.stringMatching(/^GET/)]]);
    expect(foundIn(result).drift[0]?.rules?.map(({ change, foreign: theirs }) => [change, theirs])).toContainEqual([
      "added",
      true,
    ]);
    expect(foundIn(result).drift[0]?.notes).toEqual([
      'Rule "c" was edited before the last refresh, which recorded it; the next `pulumi up` undoes it, and `pulumi preview` ' +
        "shows what that does to requests.",
    ]);
    // The state does not have what the rule was.
    const printed = (await run(["--state", newFile("state.json", stateOf())])).stdout;
    expect(printed).toContain('Rule "c" was edited');
    expect(printed).not.toMatch(/proved|Lets requests|Makes no difference/);
  });

  test("shows no secret, and still notices that one changed", async () => {
    await entrypoint("waf", {
      rules: [rule("a"), rule("b", { expression: secret('http.host eq "the-hidden-name"') })],
    });
    const { id, rules } = await there();
    await service.editRule(`zones/${zoneId}`, id, rules[1]?.id ?? "", {
      ...rule("b"),
      expression: 'http.host eq "other-name"',
    });
    await service.addRule(`zones/${zoneId}`, id, { ...rule("x"), expression: 'http.host ne "the-hidden-name"' });
    const file = newFile("state.json", stateOf());
    for (const format of [[], ["--json"], ["--markdown"]]) {
      const { code, stdout, stderr } = await run(["--state", file, ...format]);
      expect(code).toBe(2);
      expect(`${stdout}${stderr}`).not.toMatch(/hidden-name|other-name|test-token/);
      expect(stdout).toContain("[secret]");
    }
    const { drift } = foundIn(await run(["--state", file, "--json"]));
    expect(drift[0]?.rules).toEqual(expect.arrayContaining([expect.objectContaining({ ref: "b", change: "changed" })]));
  });

  test("names what cannot be compared: exit code 3, or 2 where there is drift too", async () => {
    await entrypoint();
    const reasonOf = async (options: ExportOptions, env: Record<string, string> = {}) => {
      const result = await inState(options, env);
      const { compared, drift, notRead } = foundIn(result);
      expect([result.code, compared, drift, notRead.length]).toEqual([3, 0, [], 1]);
      expect(notRead[0]?.name).toBe("PhaseEntrypoint waf");
      return notRead[0]?.reason;
    };
    expect(await reasonOf({ token: "wrong-token-0123456789" })).toContain("401");
    expect(await reasonOf({}, { RULESETS_API_TOKEN: "wrong-token-0123456789" })).toContain("RULESETS_API_TOKEN");
    const shell = { RULESETS_API_TOKEN: TOKEN, RULESETS_BASE_URL: emulator.url };
    expect(await reasonOf({ provider: `${DEFAULT}-gone` }, shell)).toContain("default-gone is not in the state");
    expect(await reasonOf({ change: (one) => ({ ...one, outputs: { __provider: "x" } }) })).toContain("cannot be read");
    expect(await reasonOf({ change: ({ id: _id, ...one }) => one })).toContain("it has no ID");
    expect(await reasonOf({ change: (one) => ({ ...one, delete: true }) })).toContain("did not delete the old object");
    await service.fault({
      status: 403,
      times: 9,
      body: { success: false, errors: [{ code: 10000, message: "no" }], messages: [], result: null },
    });
    expect(await reasonOf({})).toContain("403");
    await service.noFaults();
    const urn = `${URN}pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint::other`;
    const pending = [{ type: "updating", resource: { urn, type: "pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint" } }];
    const interrupted = await inState({ pending });
    expect([interrupted.code, foundIn(interrupted).notRead[0]?.reason]).toEqual([
      3,
      expect.stringContaining("interrupted while it was updating it"),
    ]);
    await service.addRule(`zones/${zoneId}`, (await there()).id, foreign);
    const both = await inState({ pending });
    expect([both.code, foundIn(both).notRead.length]).toEqual([2, 1]);
  });

  test("names resources with encrypted secrets, and compares the others", async () => {
    await entrypoint();
    await add("PhaseEntrypoint", "hidden", {
      zoneId,
      phase: "http_request_late_transform",
      rules: [
        rule("h", {
          action: "rewrite",
          actionParameters: { headers: { "x-key": { operation: "set", value: secret("the-hidden-name") } } },
        }),
      ],
    });
    const result = await inState({ shown: false });
    expect(result.code).toBe(3);
    const { compared, notRead } = foundIn(result);
    expect([compared, notRead.map(({ name }) => name)]).toEqual([1, ["PhaseEntrypoint hidden"]]);
    expect(notRead[0]?.reason).toContain("pulumi stack export --show-secrets");
  });

  test("uses the credentials of each resource's provider, and says whose are missing", async () => {
    await entrypoint();
    expect((await inState({ provider: OTHER })).code).toBe(0);
    const encrypted = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: TOKEN };
    const hidden = { provider: OTHER, shown: false, token: encrypted };
    for (const provider of [OTHER, DEFAULT]) {
      const missing = await inState(
        { ...hidden, provider },
        { CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_BASE_URL: emulator.url },
      );
      expect([missing.code, missing.requests]).toEqual([3, []]);
      expect(foundIn(missing).notRead[0]?.reason).toContain(`its provider ${provider}`);
      // The address is that of the state, not that of the environment.
      const elsewhere = { RULESETS_API_TOKEN: TOKEN, CLOUDFLARE_BASE_URL: "http://127.0.0.1:9/client/v4" };
      expect((await inState({ ...hidden, provider }, elsewhere)).code).toBe(0);
    }
  });

  test("sends no token to another address where that of the state is encrypted", async () => {
    await entrypoint();
    const address = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value: emulator.url };
    const hidden = { shown: false, address };
    const shell = { CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_BASE_URL: emulator.url, RULESETS_API_TOKEN: TOKEN };
    const { code, requests } = await inState(hidden, shell);
    expect([code, requests]).toEqual([3, []]);
    expect((await inState(hidden, { ...shell, RULESETS_BASE_URL: emulator.url })).code).toBe(0);
  });

  test("is not silent about a state without resources of this package, or one that is none", async () => {
    const empty = await inState();
    expect([empty.code, foundIn(empty).notRead[0]?.reason]).toEqual([
      3,
      expect.stringContaining("no resources of pulumi-rulesets"),
    ]);
    await entrypoint();
    const good = newFile("good.json", stateOf());
    const bad = newFile("bad.json", "{");
    const result = await run(["--state", good, "--state", bad]);
    expect(result.code).toBe(3);
    expect(result.stdout).toContain("firewall/prod: 1 resource compared, no drift.");
    expect(result.stdout).toContain("bad.json is not JSON");
    expect((await run(["--state", newFile("none.json", { version: 3 })])).stdout).toContain("it has no deployment");
  });

  test("ends with 1 for any other error", async () => {
    expect(await run(["--state", join("nowhere", "state.json")])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("does not exist") as string,
    });
    expect((await run(["--stack", "dev", "--all-stacks"])).code).toBe(1);
    expect((await run(["--json", "--markdown"])).code).toBe(1);
    const without = await cli(["drift"], { PATH: dirname(process.execPath) }, folder({}));
    expect([without.code, without.stderr]).toEqual([1, expect.stringContaining("`pulumi` is not on the PATH")]);
  });

  test.each([
    ["kill -9 $$", "it was ended by SIGKILL"],
    ["exit 5", "exit code 5"],
    ["echo no stack >&2; exit 1", "no stack"],
  ])("says why `pulumi` failed: %s", async (script, reason) => {
    const bin = folder({ pulumi: `#!/bin/sh\n${script}` });
    chmodSync(join(bin, "pulumi"), 0o755);
    const { code, stdout } = await cli(["drift"], { PATH: [bin, dirname(process.execPath), "/bin"].join(":") }, bin);
    expect([code, stdout]).toEqual([3, expect.stringContaining(`\`pulumi stack export\` failed: ${reason}\n`)]);
  });

  test("sends no write in any of this", async () => {
    await entrypoint();
    await service.addRule(`zones/${zoneId}`, (await there()).id, foreign);
    expect(writesIn((await inState()).requests)).toEqual([]);
  });
});
