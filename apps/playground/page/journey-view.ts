import type { TryAnswer } from "../answers/try.js";
import { h, withCode } from "./dom.js";

type Entry = TryAnswer["trace"][number];

/** The way of a request through the rules: a line that ends at the rule that decides, or at the origin. */
export function journeyView(answer: TryAnswer): HTMLElement {
  const { trace, outcome, request, undecided, response } = answer;
  const decided = trace.findIndex((entry) => isSameRule(entry, answer.rule));
  const isStopped = outcome !== "allowed" && outcome !== "unknown";
  const last = decided === -1 ? trace.length : decided;
  return h(
    "div",
    { class: `pg-journey ${outcome}` },
    h(
      "ol",
      { class: "pg-way" },
      stop("start", h("code", {}, `${request.method} ${request.url}`)),
      ...trace.flatMap((entry, index) => [
        ...(startsPhase(trace, index) ? [phaseItem(entry, index > last && isStopped)] : []),
        entryItem(entry, { isDeciding: index === decided && isStopped, isAfter: index > last && isStopped }),
      ]),
      ...(isStopped ? [] : [stop("end", outcome === "allowed" ? "The origin answers." : "Open: see below.")]),
    ),
    response === undefined
      ? undefined
      : h("p", { class: "pg-note" }, `The client gets ${String(response.status)}${location(response.headers)}.`),
    undecided.length === 0
      ? undefined
      : h(
          "div",
          { class: "pg-open" },
          h("h3", {}, "It depends on what is not given here"),
          h(
            "ul",
            {},
            ...undecided.map(({ rule, because }) =>
              h("li", {}, h("b", {}, rule.name), `: `, ...withCode(because.join("; "))),
            ),
          ),
        ),
  );
}

function location(headers: Readonly<Record<string, string | readonly string[]>>): string {
  const to = Object.entries(headers).find(([name]) => name.toLowerCase() === "location")?.[1];
  return to === undefined ? "" : `, and goes to ${[to].flat().join(", ")}`;
}

function startsPhase(trace: readonly Entry[], index: number): boolean {
  const [before, entry] = [trace[index - 1], trace[index]];
  return before?.phase !== entry?.phase || before?.level !== entry?.level;
}

function isSameRule(entry: Entry, rule: TryAnswer["rule"]): boolean {
  return (
    rule !== undefined && entry.phase === rule.phase && entry.ruleset === rule.ruleset && entry.index === rule.index
  );
}

function stop(kind: "start" | "end", child: Node | string): HTMLElement {
  return h("li", { class: `pg-stop ${kind}` }, child);
}

function phaseItem({ phase, level }: Entry, isAfter: boolean): HTMLElement {
  return h("li", { class: `pg-phase${isAfter ? " after" : ""}` }, h("code", {}, phase), ` of the ${level}`);
}

function entryItem(
  { name, action, status, why }: Entry,
  { isDeciding, isAfter }: { readonly isDeciding: boolean; readonly isAfter: boolean },
): HTMLElement {
  const kind = isDeciding ? "decides" : status.replace(" ", "-");
  return h(
    "li",
    { class: `pg-rule ${kind}${isAfter ? " after" : ""}` },
    h("span", { class: "pg-rule-name" }, name.replace(/^"(.*)"$/, "$1")),
    " ",
    h("span", { class: "pg-action" }, action),
    " ",
    h("span", { class: "pg-status" }, status),
    h("span", { class: "pg-why" }, ...withCode(why)),
  );
}
