import { h, newId } from "./dom.js";
import type { VersionedRuleset } from "./emulator-data.js";

/** The rulesets of a zone, each with its versions: choosing an older one compares it with the newest. */
export function versionsView(
  rulesets: readonly VersionedRuleset[],
  compareWith: (id: string, version: string) => void,
): HTMLElement {
  if (rulesets.length === 0) return h("p", { class: "pg-hint" }, "This zone has no rulesets yet.");
  return h("ul", { class: "pg-versions" }, ...rulesets.map((ruleset) => rulesetItem(ruleset, compareWith)));
}

function rulesetItem(
  { id, name, kind, phase, level, version, versions }: VersionedRuleset,
  compareWith: (id: string, version: string) => void,
): HTMLElement {
  const isEntry = kind === "zone" || kind === "root";
  const count = versions[0]?.rules.length ?? 0;
  const older = versions.filter((one) => one.version !== version);
  return h(
    "li",
    {},
    h(
      "span",
      {},
      h("code", {}, isEntry ? phase : name),
      ` of the ${level}: ${String(count)} ${count === 1 ? "rule" : "rules"}, version ${version}`,
    ),
    older.length === 0 ? undefined : versionChoice(id, isEntry ? phase : name, older, compareWith),
  );
}

/** `2026-11-01 12:00 UTC`. */
const timeOf = (at: string): string => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;

function versionChoice(
  id: string,
  name: string,
  older: VersionedRuleset["versions"],
  compareWith: (id: string, version: string) => void,
): HTMLElement {
  const select = h(
    "select",
    { id: newId() },
    ...older.map(({ version, last_updated: at }) =>
      h("option", { value: version }, `version ${version}, ${timeOf(at)}`),
    ),
  );
  const click = (): void => {
    compareWith(id, select.value);
  };
  return h(
    "span",
    { class: "pg-choice" },
    h("label", { for: select.id, class: "pg-unseen" }, `Older versions of ${name}`),
    select,
    h("button", { type: "button", click }, "Compare"),
  );
}
