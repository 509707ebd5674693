import { ownValue } from "../model/json.js";
import { plural } from "../model/words.js";
import type { ItemChange } from "./change.js";
import type { Details, Items } from "./item.js";

/** As many items as a message shows. */
const SHOWN = 20;

/** The items that change, one a line: `+192.0.2.7 (office Berlin)`. */
export function changeLines(before: Items, after: Items, { added, removed, changed }: ItemChange): string[] {
  const lines = [
    ...removed.map((key) => () => `-${itemWords(key, ownValue(before, key))}`),
    ...added.map((key) => () => `+${itemWords(key, ownValue(after, key))}`),
    ...changed.map(
      (key) => () => `~${key}: ${detailWords(ownValue(before, key))} → ${detailWords(ownValue(after, key))}`,
    ),
  ];
  const shown = lines.slice(0, SHOWN).map((line) => line());
  return lines.length > SHOWN ? [...shown, `… and ${plural(lines.length - SHOWN, "more item")}`] : shown;
}

/** `192.0.2.7 (office Berlin)`, `example.com/old → https://example.com/new (302)`. */
function itemWords(key: string, details: Details | undefined): string {
  const target = typeof details === "object" ? details.target : undefined;
  const notes = noteWords(details);
  return `${key}${target === undefined ? "" : ` → ${target}`}${notes === "" ? "" : ` (${notes})`}`;
}

function detailWords(details: Details | undefined): string {
  const target = typeof details === "object" ? details.target : undefined;
  return [target, noteWords(details)].filter((part) => part !== undefined && part !== "").join(", ") || "no comment";
}

function noteWords(details: Details | undefined): string {
  if (typeof details !== "object") return details ?? "";
  const { comment, target: _target, status, wire, ...switches } = details;
  const raw = wire === undefined ? "" : JSON.stringify(wire);
  return [...(status === undefined ? [] : [String(status)]), ...switchWords(switches), raw, comment ?? ""]
    .filter((part) => part !== "")
    .join(", ");
}

function switchWords(switches: Readonly<Record<string, boolean>>): string[] {
  // A state does not keep the order in which a program gives them.
  const names = Object.keys(switches).sort();
  return names.map((name) => (switches[name] === true ? name : `${name}: false`));
}
