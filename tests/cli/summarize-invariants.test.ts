import { runSummarize, type SummarizeCommand } from "../../tools/cli/summarize/command.js";
import { folder, newFile } from "./support.js";
import { countsOf } from "../support/preview-counts.js";

/* What `summarize` says about invariants: first of all, and whether the change is to blame. */

const ZONE = "0123456789abcdef0123456789abcdef";
const ADMIN = 'starts_with(http.request.uri.path, "/admin")';
const FILE = newFile(
  "a.invariants.yaml",
  `invariants:\n  - name: admin is closed\n    requests: ${ADMIN}\n    must: be-stopped\n`,
);

type Rules = Readonly<Record<string, object>>;
const closed = { admin: { action: "block", expression: ADMIN } };
const narrowed = { admin: { action: "block", expression: 'http.request.uri.path eq "/admin"' } };

const state = (rules: Rules, more: object = {}): object => ({
  inputs: {
    ...{ zoneId: ZONE, phase: "http_request_firewall_custom", rules },
    order: `${Object.keys(rules).join("\n")}\n`,
    ...more,
  },
  outputs: { rulesetId: "r1" },
});
const step = (op: string, before?: object, after?: object, name = "waf"): object => ({
  op,
  urn: `urn:pulumi:prod::firewall::pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint::${name}`,
  ...(before === undefined ? {} : { oldState: before }),
  ...(after === undefined ? {} : { newState: after }),
});

async function summarize(
  steps: readonly object[],
  options: Partial<SummarizeCommand> = {},
  changeSummary: object = countsOf(steps),
): Promise<{ readonly code: number; readonly text: string }> {
  const preview = newFile("preview.json", { steps, diagnostics: [], changeSummary });
  const lines: string[] = [];
  const code = await runSummarize(
    [preview],
    { failOn: "never", invariants: [FILE], ...options },
    {
      print: (line) => lines.push(line),
      printNote: () => undefined,
      connect: () => {
        throw new Error("no credentials");
      },
      now: new Date("2026-11-25T12:00:00Z"),
    },
  );
  return { code, text: lines.join("\n") };
}

test("a violation comes first, with a request, and fails", async () => {
  const { code, text } = await summarize([step("update", state(closed), state(narrowed))]);
  expect(text.split("\n").slice(0, 3)).toEqual([
    `Invariant "admin is closed" is violated in zone ${ZONE}; proved before this change:`,
    `  requests with ${ADMIN} must be blocked, challenged or limited`,
    expect.stringMatching(/^ {4}GET https:\/\/www\.example\.com\/admin.+ from 203\.0\.113\.9: allowed$/),
  ]);
  expect(code).toBe(2);
});

test("Markdown has it in the heading and below it", async () => {
  const { text } = await summarize([step("update", state(closed), state(narrowed))], { markdown: true });
  expect(text).toMatch(
    /### Rulesets in firewall\/prod: an invariant is violated, protection is weakened\n\n\*\*Invariant "admin is closed" is violated in zone/,
  );
});

test("a change that proves everything passes, and says nothing about it", async () => {
  const { code, text } = await summarize([step("update", state(narrowed), state(closed))]);
  expect(text).not.toContain("Invariant");
  expect(code).toBe(0);
});

test("an exception that has expired is named where it no longer helps", async () => {
  const text = `invariants: [{ name: a, requests: '${ADMIN}', must: block, except: [{ zone: ${ZONE}, until: UNTIL, reason: b }] }]`;
  const fileUntil = (day: string): string => newFile("b.invariants.yaml", text.replace("UNTIL", day));
  const steps = [step("update", state(closed), state(narrowed))];
  const { code, text: found } = await summarize(steps, { invariants: [fileUntil("2026-11-24")] });
  expect(found).toContain(`    the exception for ${ZONE} has expired: its last day was 2026-11-24\n`);
  expect(code).toBe(2);
  const excepted = await summarize(steps, { invariants: [fileUntil("2026-11-25")] });
  expect(excepted.text).toContain("until 2026-11-25 (b)");
  expect(excepted.text).not.toContain("expired");
});

test("a violation that the change did not make is said, and fails as well", async () => {
  const { code, text } = await summarize([step("same", state(narrowed), state(narrowed))]);
  expect(text).toContain("is violated in zone");
  expect(text).toContain("as before this change");
  expect(code).toBe(2);
});

test("a ruleset that is removed leaves its zone without rules", async () => {
  const { code, text } = await summarize([step("delete", state(closed))]);
  expect(text).toContain(`"admin is closed" is violated in zone ${ZONE}; proved before this change`);
  expect(code).toBe(2);
});

test("a replacement is judged by what replaces it", async () => {
  const steps = [
    step("replace", state(narrowed), state(closed)),
    step("replace", state(narrowed), state(closed)),
    step("delete-replaced", state(narrowed)),
  ];
  expect(await summarize(steps)).toMatchObject({ code: 0 });
});

test("what is secret or not known is not proved, and fails unless that is allowed", async () => {
  const hidden = { admin: { action: "block", expression: "[secret]" } };
  const { code, text } = await summarize([step("update", state(closed), state(hidden))]);
  expect(text).toContain(`"admin is closed" is not proved in zone ${ZONE}; proved before this change`);
  expect(code).toBe(2);
  expect(await summarize([step("update", state(closed), state(hidden))], { allowUnknown: true })).toMatchObject({
    code: 0,
  });
});

test("a zone that the change creates was in no order before", async () => {
  const urn = "urn:pulumi:prod::firewall::cloudflare:index/zone:Zone::shop";
  const zone = {
    op: "create",
    urn,
    newState: { urn, custom: true, inputs: { name: "shop.example.org" }, outputs: {} },
  };
  const created = (rules: Rules, zoneUrn = urn) => {
    const made = state(rules, { zoneId: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" });
    const one = step("create", undefined, { ...made, propertyDependencies: { zoneId: [zoneUrn] } }) as { urn: string };
    return { ...one, newState: { ...(one as { newState?: object }).newState, urn: one.urn } };
  };
  const open = await summarize([zone, created(narrowed)]);
  expect(open.text).toContain('Invariant "admin is closed" is violated in the new zone shop.example.org:\n');
  expect(open.code).toBe(2);
  expect((await summarize([zone, created(closed)])).code).toBe(0);
  const unknown = await summarize([created(closed, "urn:pulumi:prod::firewall::a:b:Other::x")]);
  expect(unknown.text).toContain('"admin is closed" is not proved in zone of waf (known after `pulumi up`):\n');
  expect(unknown.code).toBe(2);
});

test("nothing is certain of a preview that leaves out what stays as it is", async () => {
  const steps = [step("update", state(narrowed), state(closed))];
  const of = (same: number) => summarize(steps, {}, { update: 1, same });
  expect(await of(0)).toMatchObject({ code: 0 });
  const { code, text } = await of(1);
  expect(text).toContain('Invariant "admin is closed" is not proved in zone');
  expect(text).toContain("the preview leaves out resources that do not change, and with them rules");
  expect(code).toBe(2);
});

test("previews without rulesets have nothing to prove", async () => {
  expect((await summarize([])).code).toBe(0);
});

test("JSON has every verdict that is not proved", async () => {
  const { text } = await summarize([step("update", state(closed), state(narrowed))], { json: true });
  expect(JSON.parse(text)).toMatchObject({
    previews: [
      { invariants: [{ name: "admin is closed", zone: `zone ${ZONE}`, verdict: "violated", before: "proved" }] },
    ],
  });
});

test("a file that is none is refused", async () => {
  await expect(summarize([], { invariants: [folder({ "a.yaml": "" })] })).rejects.toThrow("no invariants found");
});
