import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Emulator } from "../../emulator/index.js";
import { lockOf, lockText } from "../../provider/managed/lock.js";
import { managedRulesets } from "../../provider/managed/rulesets.js";
import { UNKNOWN } from "../../provider/model/unknown.js";
import { clientFor } from "../support/client.js";
import type { Service } from "../support/emulator.js";
import { secret } from "./at-the-border.js";
import { IS_PLUGIN } from "./front-ends.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

const phase = "http_request_firewall_managed";
const MANAGED = managedRulesets.cloudflareManaged;
const OWASP = managedRulesets.owaspCore;
const [XSS, JOOMLA] = ["48dbfadfb7f03a6d161f12fe1d854969", "a4aeda66d4069bacc22c1d50c7b3e192"];
const GONE = "48dbfadfb7f03a6d161f12fe1d85496a";

const execute = (overrides?: object, id: string = MANAGED): object => ({
  ref: id.slice(0, 4),
  action: "execute",
  expression: "true",
  actionParameters: { id, ...(overrides === undefined ? {} : { overrides }) },
});

describe("managed rules in previews", () => {
  const before = process.cwd();
  let folder: string;
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "managed-lock-"));
    process.chdir(folder);
    ({ emulator, service } = await startService());
    zoneId = await service.zone("pro");
  });
  afterEach(async () => {
    process.chdir(before);
    rmSync(folder, { recursive: true });
    await emulator.close();
  });
  const resource = (type: string, urn: string, settings: ManagedResource<unknown>["settings"] = {}) => {
    const made = new ManagedResource<unknown>(type, service, urn);
    made.settings = { ends: true, ...settings };
    return made;
  };
  const list = (...rules: readonly object[]): object => ({ zoneId, phase, rules });
  const lock = async (...ids: readonly string[]): Promise<void> => {
    const client = clientFor(emulator.url);
    const read = await Promise.all(ids.map((id) => client.rulesets.get({ level: "zones", id: zoneId }, id)));
    writeFileSync("managed.lock.json", lockText(lockOf(read)));
    await service.forget();
  };
  const release = (): Promise<void> =>
    service.releaseManaged(MANAGED, { rules: [{ id: JOOMLA, action: "block", enabled: true }] });
  const reads = (requests: readonly string[]): number => requests.filter((one) => one.endsWith(MANAGED)).length;
  const OUT_OF_DATE =
    "managed.lock.json is out of date (Cloudflare Managed Ruleset 34 → 35): 1 rule does something else here: 1 stops requests now. " +
    "To see the changes: npx pulumi-rulesets managed diff. To accept them: npx pulumi-rulesets managed lock";

  test("without a lock file, what is unchanged or names nothing costs no request", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
    expect(reads((await waf.preview(list(execute()))).requests)).toBe(0);
    await waf.up(list(execute({ rules: [{ id: XSS, action: "log" }] })));
    await release();
    const same = await waf.preview(list(execute({ rules: [{ id: XSS, action: "log" }] })));
    expect([same.action, same.warnings, reads(same.requests)]).toEqual(["none", [], 0]);
  });

  test("a preview warns once if the lock is out of date, with the effect under the overrides of each resource", async () => {
    await lock(MANAGED);
    const waf = resource("PhaseEntrypoint", "urn:waf");
    await waf.up(list(execute()));
    const same = await waf.preview(list(execute()));
    expect([same.action, same.warnings, reads(same.requests)]).toEqual(["none", [], 1]);
    await release();
    expect((await waf.preview(list(execute()))).warnings).toEqual([OUT_OF_DATE]);
    const logged = await waf.preview(list(execute({ action: "log" })));
    expect(logged.warnings).toEqual([
      expect.stringContaining("(Cloudflare Managed Ruleset 34 → 35): 1 rule does something else here. To see"),
    ]);
    const off = await waf.preview(list(execute({ rules: [{ id: JOOMLA, enabled: false }] })));
    expect(off.warnings).toEqual([expect.stringContaining("no locked rule does anything else here")]);
    await lock(MANAGED);
    expect((await waf.preview(list(execute()))).warnings).toEqual([]);
    waf.settings = { managedLock: "off" };
    await release();
    const ignored = await waf.preview(list(execute()));
    expect([ignored.warnings, reads(ignored.requests)]).toEqual([[], 0]);
  });

  test("a ruleset that the lock does not have makes it out of date", async () => {
    await lock(MANAGED);
    const { warnings } = await resource("PhaseEntrypoint", "urn:waf").preview(
      list(execute(), execute(undefined, OWASP)),
    );
    expect(warnings).toEqual([
      expect.stringContaining("(Cloudflare OWASP Core Ruleset is not in it): no locked rule does"),
    ]);
  });

  test("with require, a lock that is missing, broken, out of date or not comparable fails, also in `up`", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf", { managedLock: "require" });
    await expect(waf.preview(list(execute()))).rejects.toThrow("managed.lock.json does not exist");
    await expect(waf.up(list(execute()))).rejects.toThrow("managed.lock.json does not exist");
    writeFileSync("managed.lock.json", "<<<<<<< HEAD\n");
    await expect(waf.preview(list(execute()))).rejects.toThrow("the markers of a merge conflict");
    expect((await resource("PhaseEntrypoint", "urn:other").preview(list(execute()))).warnings).toEqual([
      expect.stringContaining("the markers of a merge conflict"),
    ]);
    await lock(MANAGED);
    await waf.up(list(execute()));
    await release();
    await expect(waf.preview(list(execute()))).rejects.toThrow(OUT_OF_DATE);
    await expect(waf.up(list(execute({ action: "log" })))).rejects.toThrow("managed.lock.json is out of date");
    await lock(MANAGED);
    await service.fault({ path: `rulesets/${MANAGED}`, status: 500 });
    await expect(waf.preview(list(execute()))).rejects.toThrow("managed.lock.json cannot be compared with the service");
    await service.noFaults();
    waf.settings = { managedLock: "require", previewChecks: "off" };
    await expect(waf.preview(list(execute()))).rejects.toThrow("because previewChecks is off");
    waf.settings = { managedLock: "require" };
    expect((await waf.preview(list(execute()))).warnings).toEqual([]);
    const custom = resource("PhaseEntrypoint", "urn:custom", { managedLock: "require" });
    const rules = [{ ref: "a", action: "block", expression: "ssl" }];
    expect((await custom.preview({ zoneId, phase: "http_request_firewall_custom", rules })).warnings).toEqual([]);
  });

  test("an override that names an unknown rule or tag is a warning with the nearest, once it is new", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
    const overrides = { rules: [{ id: GONE, action: "log" }], categories: [{ category: "wordpres", enabled: false }] };
    const { warnings, requests } = await waf.preview(list(execute(overrides)));
    expect(warnings).toEqual([
      expect.stringContaining(
        `rules[0].actionParameters.overrides.rules[0].id: Cloudflare Managed Ruleset has no rule ${GONE}, so this override has no effect; did you mean ${XSS} ("XSS - HTML injection")?`,
      ),
      expect.stringContaining(
        "rules[0].actionParameters.overrides.categories[0].category: no rule of Cloudflare Managed Ruleset has the tag wordpres, so this override has no effect; did you mean wordpress?",
      ),
    ]);
    expect(reads(requests)).toBe(1);
    await waf.up(list(execute(overrides)));
    expect((await waf.preview(list(execute(overrides)))).warnings).toEqual([]);
    await lock(MANAGED);
    expect((await waf.preview(list(execute(overrides)))).warnings).toHaveLength(2);
  });

  test("so is a rule of another ruleset, and an entry of a skip list, also in a RulesetRule", async () => {
    const skip = { action: "skip", expression: "ssl", actionParameters: { rules: { [MANAGED]: [GONE] } } };
    const rule = resource("RulesetRule", "urn:skip");
    expect((await rule.preview({ zoneId, phase, ...skip })).warnings).toEqual([
      expect.stringContaining(`has no rule ${GONE}, so this entry of the skip rule has no effect`),
    ]);
    const waf = resource("PhaseEntrypoint", "urn:waf");
    const both = list(
      execute({ rules: [{ id: JOOMLA, action: "log" }] }, OWASP),
      execute({ rules: [{ id: XSS, action: "log" }] }),
    );
    // The other ruleset has the rule, which the service refuses as well.
    await expect(waf.preview(both).then(({ warnings }) => warnings)).resolves.toEqual([
      expect.stringContaining(`it is a rule of ${MANAGED} ("Cloudflare Managed Ruleset")`),
    ]);
  });

  test("says nothing of rules with secrets and of values that are not known yet", async () => {
    const waf = resource("PhaseEntrypoint", "urn:waf");
    const hidden = { ...execute({ rules: [{ id: GONE, action: "log" }] }), expression: secret("ssl") };
    expect((await waf.preview(list(hidden))).warnings).toEqual([]);
    const unknown = execute({ rules: [{ id: UNKNOWN, action: "log" }] });
    expect((await waf.preview(list(unknown))).warnings).toEqual([]);
    expect(
      (
        await resource("PhaseEntrypoint", "urn:new").preview({
          ...list(execute({ rules: [{ id: GONE, action: "log" }] })),
          zoneId: UNKNOWN,
        })
      ).warnings,
    ).toEqual([]);
  });

  test("the lock is one warning in all, however many resources and overrides there are, and costs `up` no request", async () => {
    await lock(MANAGED);
    await release();
    const [waf, other] = [resource("PhaseEntrypoint", "urn:waf"), resource("RulesetRule", "urn:other")];
    other.session = waf.newSession();
    await service.forget();
    await waf.plan(list(execute({ rules: [{ id: XSS, action: "log" }] })), true);
    const single = execute({ rules: [{ id: JOOMLA, enabled: false }] });
    await other.plan({ accountId: await service.account(), phase, ...single }, true);
    await waf.run.end();
    expect(waf.warnings.filter((one) => one.includes("managed.lock.json"))).toEqual([OUT_OF_DATE]);
    expect(reads(await service.requests())).toBe(1);
    expect(reads((await resource("PhaseEntrypoint", "urn:new").up(list(execute()))).requests)).toBe(0);
  });

  test(`reads a managed ruleset once for all resources of a run${IS_PLUGIN ? " of the plugin" : ""}`, async () => {
    await lock(MANAGED);
    await release();
    const waf = resource("PhaseEntrypoint", "urn:waf");
    const { requests, warnings } = await waf.preview(
      list(execute(), { ...execute({ rules: [{ id: XSS, action: "log" }] }), ref: "b" }),
    );
    expect([reads(requests), warnings]).toEqual([1, [OUT_OF_DATE]]);
  });
});
