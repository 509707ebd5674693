import type { Rule as RulesetRule } from "../../provider/index.js";
import { parsePreview } from "../../tools/cli/summarize/preview.js";
import { renderMarkdown } from "../../tools/cli/summarize/markdown.js";
import { summarize } from "../../tools/cli/summarize/summarize.js";
import type { Summary } from "../../tools/cli/summarize/summary.js";
import { writesIn } from "../support/requests.js";
import { EngineStack, type Library } from "./support/stack.js";

interface Args {
  readonly zoneId: string;
  readonly rules: readonly RulesetRule[];
  readonly header: string;
  readonly managed: boolean;
  /** The zone of an entry point that the stack shares. */
  readonly sharedZoneId: string;
  readonly sharedRules: readonly RulesetRule[];
  /** The `RulesetRule` of the stack in that entry point. */
  readonly partner: Pick<RulesetRule, "action" | "expression"> & { readonly position?: { readonly before: string } };
}

const program = ({ PhaseEntrypoint, RulesetRule, pulumi }: Library, args: Args) => {
  const { zoneId, rules, header, managed, sharedZoneId, sharedRules, partner } = args;
  new PhaseEntrypoint("custom", { zoneId, phase: "http_request_firewall_custom", rules: [...rules] });
  new PhaseEntrypoint("headers", {
    zoneId,
    phase: "http_request_late_transform",
    rules: [
      {
        action: "rewrite",
        description: "Tell the origin",
        expression: "true",
        actionParameters: { headers: { "x-origin-key": { operation: "set", value: pulumi.secret(header) } } },
      },
    ],
  });
  const place = { zoneId: sharedZoneId, phase: "http_request_firewall_custom" };
  const shared = new PhaseEntrypoint("shared", { ...place, ownership: "shared", rules: [...sharedRules] });
  new RulesetRule("partner", { ...place, ref: "partner", description: "Partners", ...partner }, { dependsOn: shared });
  if (managed) {
    new PhaseEntrypoint("waf", {
      zoneId,
      phase: "http_request_firewall_managed",
      rules: [{ action: "execute", expression: "true", actionParameters: { id: "efb7b8c949ac4650a09736fc376e9aee" } }],
    });
  }
};

const block = (description: string, path: string): RulesetRule => ({
  action: "block",
  description,
  expression: `http.request.uri.path eq "${path}"`,
});

const part = (ref: string): RulesetRule & { readonly ref: string } => ({ ...block(`Part ${ref}`, `/${ref}`), ref });

describe("a summary of a preview of the real engine", () => {
  let stack: EngineStack;
  let first: Args;
  beforeAll(async () => {
    stack = await EngineStack.start();
    first = {
      zoneId: await stack.service.zone(),
      rules: [block("Block admin", "/admin"), block("Block login", "/login"), block("Block old", "/old")],
      header: "the first key of the origin",
      managed: true,
      sharedZoneId: await stack.service.zone("business"),
      sharedRules: [part("a"), part("b"), part("c")],
      partner: { action: "block", expression: "ssl" },
    };
    const up = await stack.up(program, first);
    if (!up.ok) throw new Error(up.text);
  });

  const summaryOf = async (args: Args): Promise<Summary> => {
    const { text } = await stack.previewJson(program, args);
    return summarize(parsePreview(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1), "preview"));
  };
  const changes = (summary: Summary, resource: string): unknown[] =>
    summary.resources.flatMap((one) =>
      one.kind === "ruleset" && one.resource === resource ? one.rules.map(({ change, name }) => [change, name]) : [],
    );

  test("reports what happens to every rule, the effect on requests, and exactly the writes that `up` then makes", async () => {
    const second: Args = {
      ...first,
      rules: [block("Block login", "/login"), { ...block("Block admin", "/admin"), action: "log" }],
      header: "the second key of the origin",
      managed: false,
      sharedRules: [part("a"), { ...part("b"), expression: 'http.request.uri.path eq "/b/"' }, part("d")],
      partner: { action: "managed_challenge", expression: "ssl", position: { before: "a" } },
    };
    const summary = await summaryOf(second);
    expect(summary.stack).toBe("test/dev");
    expect(changes(summary, "custom")).toEqual([
      ["removed", "Block old"],
      ["weakened", "Block admin"],
      ["moved", "Block login"],
    ]);
    expect(changes(summary, "headers")).toEqual([["changed", "Tell the origin"]]);
    expect(changes(summary, "waf")).toEqual([["removed", "execute Cloudflare Managed Ruleset"]]);
    expect(changes(summary, "shared")).toEqual([
      ["removed", "Part c"],
      ["weakened", "Part b"],
      ["added", "Part d"],
      ["unchanged", "Part a"],
    ]);
    expect(changes(summary, "partner")).toEqual([["weakened", "Partners"]]);
    const text = renderMarkdown([summary]);
    expect(text).not.toMatch(/first key|second key/);
    expect(text).toMatch(/blocked by "Block old" → allowed/);

    const up = await stack.up(program, second);
    if (!up.ok) throw new Error(up.text);
    expect(summary.resources.flatMap(({ writes }) => writes.map(({ call }) => call)).sort()).toEqual(
      writesIn(up.requests).sort(),
    );
  });
});
