import type { Emulator } from "../../emulator/index.js";
import { checkRules, failureText } from "../../provider/validation/index.js";
import { AtTheBorder, secret } from "./at-the-border.js";
import { startService } from "./harness.js";

const phase = "http_request_firewall_custom";
const block = (more: object = {}): object => ({ action: "block", expression: "ssl", ...more });
const zoneId = "0123456789abcdef0123456789abcdef";
const hidden = "hunter2-very-secret";

describe("what cannot be kept secret is refused at preview, with its path and what to do", () => {
  const text = "stands in plain text in the state, in outputs and in messages";
  test.each<[string, object, string[]]>([
    [
      "a ref",
      { rules: [block(), block({ ref: secret(hidden) })] },
      [`rules[1].ref: is a secret, or inside of one, but a rule's ref ${text}`],
    ],
    [
      "an id",
      { rules: [block({ id: secret(hidden) })] },
      [`rules[0].id: is a secret, or inside of one, but a rule's id ${text}`],
    ],
    [
      "a ref inside a secret rule",
      { rules: [secret(block({ ref: hidden }))] },
      ["rules[0].ref: is a secret, or inside of one"],
    ],
    [
      "refs inside a secret list",
      { rules: secret([block({ ref: hidden }), block()]) },
      ["rules[0].ref: is a secret, or inside of one"],
    ],
    [
      "the zone and the phase",
      { zoneId: secret(zoneId), phase: secret(phase), rules: [] },
      [
        "zoneId: is a secret, but it is part of the resource's id or of its outputs",
        "write pulumi.unsecret(zoneId)",
        "phase: is a secret, but",
      ],
    ],
    ["a choice", { rules: [], onDelete: secret("keep") }, ["onDelete: is a secret, but"]],
  ])("%s", async (_, args, reasons) => {
    const border = new AtTheBorder("PhaseEntrypoint", "http://127.0.0.1:9");
    expect(await border.up({ zoneId, phase, ...args }, { preview: true })).toBe(false);
    const said = border.leaving.join("\n");
    for (const reason of reasons) expect(said).toContain(reason);
    expect(said).not.toContain(hidden);
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

  test("a value that was pasted with [secret] inside passes with a warning: it may be a text of its own", () => {
    const expression = 'http.host eq "[secret]"';
    const { failures, warnings } = checkRules([block({ expression })], { phase, kind: "zone" });
    expect(failures).toEqual([]);
    expect(warnings.map(failureText)).toEqual([
      'rules[0].expression: holds "[secret]", which messages print in place of a secret; if this was pasted from one, write ' +
        "the value itself, as a secret: pulumi.secret(…) or config.requireSecret(…)",
    ]);
  });

  test("a value that was pasted as [secret]", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", "http://127.0.0.1:9");
    const rules = [
      block({ expression: "[secret]", actionParameters: { response: { statusCode: 403, content: "[secret]" } } }),
    ];
    expect(await border.up({ zoneId, phase, rules }, { preview: true })).toBe(false);
    const said = border.leaving.join("\n");
    expect(said).toContain(
      'rules[0].expression: is "[secret]", which messages print in place of a secret; write the value itself',
    );
    expect(said).toContain('rules[0].actionParameters.response.content: is "[secret]"');
  });
});

describe("secrets in arguments", () => {
  let emulator: Emulator;
  let zone: string;
  beforeEach(async () => {
    const started = await startService();
    emulator = started.emulator;
    zone = started.ids.zoneId;
  });
  afterEach(() => emulator.close());

  test("are quoted in no part by what is found at their places", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", emulator.url);
    const rules = [block({ action: secret("managed_challange"), expression: secret(`http.host eq "${hidden}`) })];
    expect(await border.up({ zoneId: zone, phase, rules }, { preview: true })).toBe(false);
    const said = border.leaving.join("\n");
    expect(said).toContain('rules[0].action: the action "[secret]" does not exist');
    expect(said).toContain("rules[0].expression:14: this string has no closing");
    expect(said).not.toMatch(/hunter|challange/);
  });

  test("a secret list, and secret rules, leave nothing of themselves in refs and order", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", emulator.url);
    const one = block({ description: hidden, expression: `http.host eq "${hidden}"` });
    for (const rules of [secret([one, block({ description: `2 ${hidden}` })]), [secret(one), block()]]) {
      expect(await border.up({ zoneId: zone, phase, rules })).toBe(true);
      expect(border.kept?.outputs.order).toMatch(/^(rule|block)-[0-9a-f]{4}\n(rule|block)-[0-9a-f]{4}\n$/);
    }
    expect(border.leaving.join("\n")).not.toContain("hunter");
  });

  test("a secret that holds nothing is left out", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", emulator.url);
    expect(await border.up({ zoneId: zone, phase, rules: [block({ description: secret(undefined) })] })).toBe(true);
    expect(JSON.stringify(border.kept)).not.toContain("pulumi-rulesets:secret");
  });

  test("a description that becomes a secret is warned of where its ref repeats it", async () => {
    const border = new AtTheBorder("PhaseEntrypoint", emulator.url);
    expect(await border.up({ zoneId: zone, phase, rules: [block({ description: "Night shift" })] })).toBe(true);
    expect(await border.up({ zoneId: zone, phase, rules: [block({ description: secret("Night shift") })] })).toBe(true);
    expect(border.leaving.join("\n")).toMatch(
      /warning: rules\[0\]\.description: is a secret now, but the rule's ref night-shift-[0-9a-f]{4} was made of it/,
    );
  });
});
