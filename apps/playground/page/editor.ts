import type { Edit } from "../../../tools/editor/embedded/embedded.js";
import type { Span } from "../../../core/language/index.js";
import { h, newId } from "./dom.js";
import { severitiesOfLines, movedMarks, segmentsOf, type Mark } from "./marks.js";

/** Comments, texts, members, operators and numbers, in this order. */
const PARTS =
  /(?<comment>(?:^|\s)#.*$)|(?<string>"(?:[^"\\]|\\.)*"?)|(?<member>(?<=^[\s{,-]*)[A-Za-z_]\w*:(?=\s|$))|(?<word>\b(?:and|or|not|xor|eq|ne|lt|le|gt|ge|in|contains|matches|wildcard|strict|true|false)\b)|(?<number>\b\d[\w.:/]*)|(?<list>\$[\w.]+)/g;

/** Members with words of people, which mean nothing to the rules language. */
const PROSE = /^[\s{,-]*"?(?:description|name|ref|phase|action)"?:/;

/** A line of rules or of an expression, in colours. */
function coloured(line: string): (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  let end = 0;
  for (const found of line.matchAll(PARTS)) {
    const [name] =
      Object.entries(found.groups as Partial<Record<string, string>>).find(([, text]) => text !== undefined) ?? [];
    if (PROSE.test(line) && name !== "member" && name !== "comment") continue;
    parts.push(line.slice(end, found.index), h("span", { class: `pg-${name ?? "plain"}` }, found[0]));
    end = found.index + found[0].length;
  }
  parts.push(line.slice(end));
  return parts;
}

/** A text field with line numbers and colours; parts with findings are underlined, and their lines marked. */
export class Editor {
  readonly element: HTMLElement;
  readonly #text: HTMLTextAreaElement;
  readonly #colours = h("pre", { class: "pg-colours", "aria-hidden": "true" });
  readonly #underlines = h("pre", { class: "pg-colours pg-underlines", "aria-hidden": "true" });
  readonly #numbers = h("div", { class: "pg-numbers", "aria-hidden": "true" });
  #marks: readonly Mark[] = [];
  /** The text that the marks are for. */
  #painted = "";

  constructor(label: string, hint: string, onInput: () => void) {
    const [id, hintId] = [newId(), newId()];
    this.#text = h("textarea", {
      id,
      class: "pg-text",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
      "aria-describedby": hintId,
      input: () => {
        this.#paint();
        onInput();
      },
      scroll: () => {
        this.#followScroll();
      },
    });
    this.element = h(
      "div",
      { class: "pg-editor" },
      h("label", { for: id }, label),
      h("p", { class: "pg-hint", id: hintId }, hint),
      h("div", { class: "pg-frame" }, this.#numbers, this.#colours, this.#underlines, this.#text),
    );
    this.#paint();
  }

  get value(): string {
    return this.#text.value;
  }

  set value(text: string) {
    this.#text.value = text;
    this.#paint();
  }

  set marks(marks: readonly Mark[]) {
    this.#marks = marks;
    this.#paint();
  }

  /** Selects a part of the text, and shows it. */
  select({ start, end }: Span): void {
    this.#text.focus();
    this.#text.setSelectionRange(start, end);
  }

  /** Makes edits of the text as if they were typed, so that they can be undone. They are in its order, and apart. */
  edit(edits: readonly Edit[]): void {
    for (const { span, text } of edits.toReversed()) {
      this.select(span);
      // The only way that a browser remembers for undoing, although it is no longer in the standard.
      // oxlint-disable-next-line typescript/no-deprecated
      document.execCommand(text === "" ? "delete" : "insertText", false, text);
    }
  }

  #paint(): void {
    const text = this.value;
    this.#marks = movedMarks(this.#marks, this.#painted, text);
    this.#painted = text;
    const lines = text.split("\n");
    const severities = severitiesOfLines(this.#marks, text);
    this.#text.rows = Math.min(Math.max(lines.length + 1, 6), 26);
    this.#numbers.replaceChildren(
      ...lines.map((_, index) => h("span", { class: severities.get(index + 1) }, String(index + 1))),
    );
    this.#colours.replaceChildren(
      ...lines.flatMap((line, index) => [
        h("span", { class: ["pg-line", severities.get(index + 1) ?? ""].join(" ") }, ...coloured(line)),
        "\n",
      ]),
    );
    this.#underlines.replaceChildren(
      ...segmentsOf(this.#marks, text).map(({ part, severity }) =>
        severity === undefined ? part : h("span", { class: `pg-underline ${severity}` }, part),
      ),
      "\n",
    );
    this.#followScroll();
  }

  #followScroll(): void {
    const { scrollTop, scrollLeft } = this.#text;
    for (const layer of [this.#colours, this.#underlines]) layer.scrollLeft = scrollLeft;
    for (const layer of [this.#colours, this.#underlines, this.#numbers]) layer.scrollTop = scrollTop;
  }
}
