import type { CompareAnswer } from "../answers/compare.js";
import { h, withCode } from "./dom.js";

/** What an edit does to requests, and requests that show it. */
export function compareView(
  { verdict, headline, witnesses, notes }: CompareAnswer,
  tryOn: (request: CompareAnswer["witnesses"][number]["request"]) => void,
): HTMLElement[] {
  const [word, rest] = splitHeadline(headline);
  return [
    h("p", { class: `pg-verdict ${verdict}` }, h("strong", {}, word), rest),
    ...(witnesses.length === 0
      ? []
      : [h("h3", {}, witnesses.length === 1 ? "A request that shows it" : "Requests that show it")]),
    h(
      "ul",
      { class: "pg-witnesses" },
      ...witnesses.map(({ direction, text, request }) =>
        h(
          "li",
          { class: `pg-witness ${direction.split(",")[0] ?? ""}` },
          h("span", { class: "pg-severity" }, direction),
          h("code", {}, text),
          h(
            "button",
            {
              type: "button",
              click: () => {
                tryOn(request);
              },
            },
            "Follow it through the new rules",
          ),
        ),
      ),
    ),
    ...(notes.length === 0
      ? []
      : [h("ul", { class: "pg-notes" }, ...notes.map((note) => h("li", {}, ...withCode(note))))]),
  ];
}

function splitHeadline(text: string): readonly [word: string, rest: string] {
  const [, word = text, rest = ""] = /^(\w+)([:,][^]*)$/.exec(text) ?? [];
  return [word, rest];
}
