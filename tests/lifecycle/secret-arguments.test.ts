import type { Json } from "../../core/model/json.js";
import { unwrapSecrets } from "../../core/model/secret.js";
import { checkRules, findingText } from "../../provider/validation/index.js";
import { Service } from "../support/emulator.js";
import { AtTheBorder, clear, secret } from "./at-the-border.js";
import { startService } from "./harness.js";
import { startOldZone } from "./old-zone.js";

const phase = "http_request_firewall_custom";
const block = (more: object = {}): object => ({ action: "block", expression: "ssl", ...more });
const zoneId = "0123456789abcdef0123456789abcdef";
const hidden = "hunter2-very-secret";

describe("arguments that cannot be secret are refused at preview, with their path and what to do", () => {
  const text = "is in plain text in the state, in outputs and in messages";
  test.each<[string, object, string[]]>([
    [
      "a ref",
      { rules: [block(), block({ ref: secret(hidden) })] },
      [`rules[1].ref: is a secret, or inside one, but a rule's ref ${text}`],
    ],
    [
      "an id",
      { rules: [block({ id: secret(hidden) })] },
      [`rules[0].id: is a secret, or inside one, but a rule's id ${text}`],
    ],
    [
      "a ref inside a secret rule",
      { rules: [secret(block({ ref: hidden }))] },
      ["rules[0].ref: is a secret, or inside one"],
    ],
    [
      "refs inside a secret list",
      { rules: secret([block({ ref: hidden }), block()]) },
      ["rules[0].ref: is a secret, or inside one"],
    ],
    [
      "the zone and the phase",
      { zoneId: secret(zoneId), phase: secret(phase), rules: [] },
      [
        "zoneId: is a secret, but it is part of the resource's id or of its outputs",
        "use pulumi.unsecret(zoneId)",
        "phase: is a secret, but",
      ],
    ],
    ["an option", { rules: [], onDelete: secret("keep") }, ["onDelete: is a secret, but"]],
  ])("%s", async (_, args, reasons) => {
    const border = new AtTheBorder("PhaseEntrypoint", "http://127.0.0.1:9");
    expect(await border.up({ zoneId, phase, ...args }, { preview: true })).toBe(false);
    const output = border.leaving.join("\n");
    for (const reason of reasons) expect(output).toContain(reason);
    expect(output).not.toContain(hidden);
  });

  test.each<[string, object]>([
    ["CustomHostnameCa", { zoneId, hostname: secret("a.shrouded.test"), certificateAuthority: "google" }],
    ["CustomHostnameCertificate", { customHostnameCaId: secret("zones/z/custom-hostnames/shrouded/certificate") }],
    ["TotalTlsCa", { zoneId, certificateAuthority: secret("shrouded") }],
    ["ZoneWafMigration", { zoneId, mode: "pending", acknowledgeIrreversible: secret("shrouded.test") }],
  ])("an argument of a %s", async (kind, args) => {
    const border = new AtTheBorder(kind, "http://127.0.0.1:9");
    expect(await border.up(args, { preview: true })).toBe(false);
    expect(border.leaving.join("\n")).toMatch(/: is a secret, but it is part of the resource's id or of its outputs/);
    expect(border.leaving.join("\n")).not.toContain("shrouded");
  });

  test("a pasted value with [secret] inside is accepted with a warning: it may be literal text", () => {
    const expression = 'http.host eq "[secret]"';
    const found = checkRules([block({ expression })], { phase, kind: "zone" });
    expect(found).toMatchObject([{ severity: "warning" }]);
    expect(found.map(findingText)).toEqual([
      'rules[0].expression: contains "[secret]", which messages print instead of a secret; if this was pasted from one, write ' +
        "the value itself, as a secret: pulumi.secret(…) or config.requireSecret(…)",
    ]);
  });

  test("a pasted value of [secret] is refused", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", "http://127.0.0.1:9");
    const rules = [
      block({ expression: "[secret]", actionParameters: { response: { statusCode: 403, content: "[secret]" } } }),
    ];
    expect(await border.up({ zoneId, phase, rules }, { preview: true })).toBe(false);
    const output = border.leaving.join("\n");
    expect(output).toContain(
      'rules[0].expression: is "[secret]", which messages print instead of a secret; write the value itself',
    );
    expect(output).toContain('rules[0].actionParameters.response.content: is "[secret]"');
  });
});

describe("secrets in arguments", () => {
  let service: Service;
  let zone: string;
  beforeEach(async () => {
    ({ service, zoneId: zone } = await startService());
  });

  test("are quoted in no part by errors at their places", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const rules = [block({ action: secret("managed_challange"), expression: secret(`http.host eq "${hidden}`) })];
    expect(await border.up({ zoneId: zone, phase, rules }, { preview: true })).toBe(false);
    const output = border.leaving.join("\n");
    expect(output).toContain('rules[0].action: the action "[secret]" does not exist');
    expect(output).toContain("rules[0].expression:14: this string has no closing");
    expect(output).not.toMatch(/hunter|challange/);
  });

  test("a secret list, and secret rules, leave no trace in refs and order", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const one = block({ description: hidden, expression: `http.host eq "${hidden}"` });
    for (const rules of [secret([one, block({ description: `2 ${hidden}` })]), [secret(one), block()]]) {
      expect(await border.up({ zoneId: zone, phase, rules })).toBe(true);
      expect(border.kept?.outputs.order).toMatch(/^(rule|block)-[0-9a-f]{4}\n(rule|block)-[0-9a-f]{4}\n$/);
    }
    expect(border.leaving.join("\n")).not.toContain("hunter");
  });

  test("an empty secret is left out", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    expect(await border.up({ zoneId: zone, phase, rules: [block({ description: secret(undefined) })] })).toBe(true);
    expect(JSON.stringify(border.kept)).not.toContain("pulumi-rulesets:secret");
  });

  describe("that ignoreChanges keeps stay secret", () => {
    /** An up, a refresh and another up, which would show what the state has in clear, and an echo of it. */
    const showsNothing = async (border: AtTheBorder, args: object): Promise<void> => {
      expect(await border.up(args)).toBe(true);
      expect(await border.refresh()).toBe(true);
      expect(await border.up(args)).toBe(true);
      expect(JSON.stringify(border.kept)).toContain(hidden);
      await new Service({ url: service.emulator.url }).fault({
        method: "GET",
        status: 400,
        body: `bad ${hidden}`,
        times: 9,
      });
      expect(await border.refresh()).toBe(false);
      expect(border.leaving.join("\n")).not.toContain("hunter");
    };
    const more = block({ expression: "not ssl" });

    test.each(["description", "*"])("a description, by %j", async (ignored) => {
      const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
      expect(await border.up({ zoneId: zone, phase, description: secret(hidden), rules: [block()] })).toBe(true);
      // The engine passes in the old value instead of the program's.
      const args = { zoneId: zone, phase, description: hidden, rules: [block(), more], __ignore: [ignored] };
      await showsNothing(border, args);
    });

    test.each(['rules["r"]', 'rules["r"].expression', 'rules["r"].actionParameters.response.content'])(
      "a field of a rule, by %j",
      async (ignored) => {
        const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
        const content = { statusCode: 403, contentType: "text/plain", content: secret(hidden) };
        const rule = { ref: "r", action: "block", expression: secret(`http.host eq "${hidden}"`) };
        const old = { ...rule, actionParameters: { response: content } };
        expect(await border.up({ zoneId: zone, phase, rules: [old] })).toBe(true);
        const open = { ...rule, expression: "true", actionParameters: { response: { ...content, content: "open" } } };
        await showsNothing(border, { zoneId: zone, phase, rules: [open, more], __ignore: [ignored] });
      },
    );

    test("all rules", async () => {
      const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
      const rules = [block({ expression: secret(`http.host eq "${hidden}"`) })];
      expect(await border.up({ zoneId: zone, phase, rules })).toBe(true);
      const handedIn = unwrapSecrets(border.kept?.inputs.rules as Json);
      await showsNothing(border, { zoneId: zone, phase, description: "New", rules: handedIn, __ignore: ["rules"] });
    });

    test("a value that the program now has in clear is no longer secret", async () => {
      const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
      expect(await border.up({ zoneId: zone, phase, description: secret(hidden), rules: [block()] })).toBe(true);
      expect(await border.up({ zoneId: zone, phase, description: hidden, rules: [block(), more] })).toBe(true);
      expect(clear(border.kept?.outputs)).toMatchObject({ description: hidden });
    });

    test("the adjustments of a migration", async () => {
      const old = await startOldZone({ progression: { never: true } });
      const border = new AtTheBorder("ZoneWafMigration", old.service.emulator.url);
      const expression = `http.cookie contains "${hidden}"`;
      const append = (value: unknown) => [
        { action: "skip", expression: value, actionParameters: { ruleset: "current" } },
      ];
      const pending = { zoneId: old.zoneId, mode: "pending", acknowledgeIrreversible: true, wait: false };
      expect(await border.up({ ...pending, adjustments: { append: append(secret(expression)) } })).toBe(true);
      const kept = { ...pending, adjustments: { append: append(expression) }, waitTimeoutSeconds: 9 };
      expect(await border.up({ ...kept, __ignore: ["adjustments"] })).toBe(true);
      expect(await border.refresh()).toBe(true);
      expect(await border.up({ ...kept, __ignore: ["*"] })).toBe(true);
      expect(await border.refresh()).toBe(true);
      expect(JSON.stringify(border.kept?.outputs.plannedRules)).toContain(hidden);
      expect(border.leaving.join("\n")).not.toContain("hunter");
    });
  });

  test("a description that becomes secret is reported when its ref repeats it", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    expect(await border.up({ zoneId: zone, phase, rules: [block({ description: "Night shift" })] })).toBe(true);
    expect(await border.up({ zoneId: zone, phase, rules: [block({ description: secret("Night shift") })] })).toBe(true);
    expect(border.leaving.join("\n")).toMatch(
      /warning: rules\[0\]\.description: is a secret now, but the rule's ref night-shift-[0-9a-f]{4} was derived from it/,
    );
  });
});
