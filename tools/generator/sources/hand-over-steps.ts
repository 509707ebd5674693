import { textOf } from "../../../core/model/json.js";
import { shellWord } from "../../../core/model/shell-word.js";
import type { GeneratedProgram } from "../program/program.js";
import type { ForeignResource } from "./foreign.js";
import { isDataSource } from "./previous-waf/index.js";
import { isSwitching } from "./previous-waf/page-rules.js";

/**
 * How to remove from the other tool what the program takes over, without deleting anything. What the program leaves out stays
 * with the other tool.
 */
export function handOverSteps(
  resources: readonly ForeignResource[],
  { rulesetIds, leftOut }: Pick<GeneratedProgram, "rulesetIds" | "leftOut">,
): string[] {
  const declared = new Set(rulesetIds);
  const refused = new Set(leftOut.map(({ what }) => what));
  const previous = previousSteps(resources, refused);
  const managed = resources.filter(({ address }) => !isDataSource(address) && !refused.has(address));
  const lists = new Set(managed.flatMap(({ type, id }) => (type === "cloudflare_list" ? [id] : [])));
  const own = managed.filter(
    ({ type, id, values }) =>
      (type !== "cloudflare_ruleset" || declared.has(id)) &&
      (type !== "cloudflare_list_item" || lists.has(textOf(values.list_id))),
  );
  const terraform = own.filter(({ tool }) => tool === "terraform");
  const pulumi = own.filter(({ tool }) => tool === "pulumi");
  return [...terraformSteps(terraform), ...pulumiSteps(pulumi), ...previous];
}

const FORGOTTEN = /^cloudflare_(ruleset|total_tls|list|list_item)$/;

function terraformSteps(resources: readonly ForeignResource[]): string[] {
  const forgotten = resources.filter(({ type }) => FORGOTTEN.test(type));
  const hostnames = resources.filter(({ type }) => type === "cloudflare_custom_hostname");
  return [
    ...(forgotten.length === 0 ? [] : [forgetText(forgotten)]),
    ...(hostnames.length === 0 ? [] : [keepText(hostnames, "lifecycle {\n  ignore_changes = [ssl]\n}")]),
  ];
}

function forgetText(resources: readonly ForeignResource[]): string {
  // There can be a resource for each item of a list.
  const addresses = uniqueTexts(
    resources.map(({ type, address }) => shellWord(type === "cloudflare_list_item" ? withoutIndex(address) : address)),
  );
  // A removed block refers to a resource, never to one of its instances.
  const blocks = uniqueTexts(resources.map(({ address }) => withoutIndex(address)));
  return [
    "Remove the resources from Terraform once `pulumi up` has taken everything over; nothing is deleted. Either",
    ...addresses.map((address) => `  terraform state rm ${address}`),
    "and remove the resources from the configuration before the next apply; or replace them with these blocks and apply:",
    ...blocks.map((address) =>
      indent(`removed {\n  from = ${withoutKeys(address)}\n\n  lifecycle {\n    destroy = false\n  }\n}`),
    ),
    "With OpenTofu, use `tofu` instead of `terraform`.",
  ].join("\n");
}

function withoutIndex(address: string): string {
  return address.replace(/\[[^\]]*\]$/, "");
}

function uniqueTexts(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}

/** Modules are also named without instance keys. */
function withoutKeys(address: string): string {
  return address.replace(/\[[^\]]*\]/g, "");
}

function keepText(resources: readonly ForeignResource[], block: string): string {
  return [
    "These stay with the old tool, because they are the hostnames themselves. To keep it from changing their certificates, add to each:",
    indent(block),
    ...resources.map(({ address }) => `  - ${address}`),
  ].join("\n");
}

function pulumiSteps(resources: readonly ForeignResource[]): string[] {
  const forgotten = resources.filter(({ type }) => FORGOTTEN.test(type));
  const hostnames = resources.filter(({ type }) => type === "cloudflare_custom_hostname");
  return [
    ...(forgotten.length === 0
      ? []
      : [
          [
            "In the project and the stack of the old resources, replace their program with this one: each ruleset has an alias, so",
            "`pulumi up` keeps it and deletes nothing. The Cloudflare provider plugin must still be installed for that run.",
            "In another stack, run these in the old one once `pulumi up` has taken everything over, and remove the resources from",
            "its program; nothing is deleted:",
            ...forgotten.map(({ address }) => `  pulumi state delete ${shellWord(address)} --yes`),
          ].join("\n"),
        ]),
    ...(hostnames.length === 0 ? [] : [keepText(hostnames, '{ ignoreChanges: ["ssl"] }')]),
  ];
}

/** What to do with the resources of the previous WAF: its APIs stop working when the zone is migrated. */
function previousSteps(resources: readonly ForeignResource[], refused: ReadonlySet<string>): string[] {
  const of = (pattern: RegExp): ForeignResource[] =>
    resources.filter(({ type, address }) => pattern.test(type) && !isDataSource(address));
  const listed = (list: readonly ForeignResource[]): string[] => list.map(({ address }) => `  - ${address}`);
  const wafs = of(/^cloudflare_waf_(package|group|rule|override)$/);
  const firewall = replaced(of(/^cloudflare_firewall_rule$/), of(/^cloudflare_filter$/), refused);
  const pages = of(/^cloudflare_page_rule$/).filter(({ values }) => isSwitching(values));
  return [
    ...(wafs.length === 0
      ? []
      : [
          [
            "Remove the resources of the previous WAF from the old tool before the zone is migrated, because its APIs stop working then:",
            ...wafs.map(({ tool, address }) =>
              tool === "terraform"
                ? `  terraform state rm ${shellWord(address)}`
                : `  pulumi state delete ${shellWord(address)} --yes`,
            ),
            "and remove them from its configuration. None of this deletes anything.",
          ].join("\n"),
        ]),
    ...(firewall.length === 0
      ? []
      : [
          [
            "These stay with the old tool until the rules of the program replace them. Then delete them with that tool:",
            ...listed(firewall),
          ].join("\n"),
        ]),
    ...(pages.length === 0
      ? []
      : [
          [
            "These page rules stay with the old tool. Once the zone is migrated, remove `waf` and `disable_security` from them:",
            ...listed(pages),
          ].join("\n"),
        ]),
  ];
}

/** Firewall rules that the program has replaced, and the filters that no other rule uses. */
function replaced(
  rules: readonly ForeignResource[],
  filters: readonly ForeignResource[],
  refused: ReadonlySet<string>,
): ForeignResource[] {
  const filterIds = (list: readonly ForeignResource[]) => new Set(list.map(({ values }) => values.filter_id));
  const gone = rules.filter(({ address }) => !refused.has(address));
  const needed = filterIds(rules.filter(({ address }) => refused.has(address)));
  const used = filterIds(gone);
  return [...gone, ...filters.filter(({ id }) => used.has(id) && !needed.has(id))];
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
