import { h, newId } from "./dom.js";
import { coloured } from "./colours.js";

export type MarkLevel = "error" | "warning" | "note";

/** A text field with line numbers, colours, and marks at lines with findings. */
export class Editor {
  readonly element: HTMLElement;
  readonly #text: HTMLTextAreaElement;
  readonly #colours = h("pre", { class: "pg-colours", "aria-hidden": "true" });
  readonly #numbers = h("div", { class: "pg-numbers", "aria-hidden": "true" });
  #marks: ReadonlyMap<number, MarkLevel> = new Map();

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
      h("div", { class: "pg-frame" }, this.#numbers, this.#colours, this.#text),
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

  set marks(marks: ReadonlyMap<number, MarkLevel>) {
    this.#marks = marks;
    this.#paint();
  }

  /** Puts the cursor at the start of a line, from 1. */
  goTo(line: number): void {
    const lines = this.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.#text.focus();
    this.#text.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  }

  #paint(): void {
    const lines = this.value.split("\n");
    this.#text.rows = Math.min(Math.max(lines.length + 1, 6), 26);
    this.#numbers.replaceChildren(
      ...lines.map((_, index) => h("span", { class: this.#marks.get(index + 1) }, String(index + 1))),
    );
    this.#colours.replaceChildren(
      ...lines.flatMap((line, index) => [
        h("span", { class: ["pg-line", this.#marks.get(index + 1) ?? ""].join(" ") }, ...coloured(line)),
        "\n",
      ]),
    );
    this.#followScroll();
  }

  #followScroll(): void {
    const { scrollTop, scrollLeft } = this.#text;
    this.#colours.scrollTop = scrollTop;
    this.#colours.scrollLeft = scrollLeft;
    this.#numbers.scrollTop = scrollTop;
  }
}
