import type { RequestForm as Fields } from "../answers/page-state.js";
import { h, newId } from "./dom.js";

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/** The form that describes a request. */
export class RequestForm {
  readonly element: HTMLElement;
  readonly #controls = new Map<keyof Fields, Control>();
  readonly #more: HTMLDetailsElement;

  constructor(private readonly onInput: () => void) {
    this.#more = h(
      "details",
      { class: "pg-more" },
      h("summary", {}, "Headers, body, country and more"),
      h(
        "div",
        { class: "pg-fields" },
        this.#input("country", "Country", { placeholder: "DE", size: 4 }),
        this.#input("asn", "AS number", { inputmode: "numeric", placeholder: "64500" }),
        this.#input("botScore", "Bot score", { inputmode: "numeric", placeholder: "1 to 99" }),
        this.#select("verifiedBot", "Verified bot", [
          ["", "not known"],
          ["yes", "yes"],
          ["no", "no"],
        ]),
        this.#input("response", "Response status", { inputmode: "numeric", placeholder: "200" }),
        this.#area("headers", "Headers", "User-Agent: curl/8.5"),
        this.#area("fields", "Other fields", "cf.waf.score: 20"),
        this.#area("body", "Body", ""),
      ),
    );
    this.element = h(
      "form",
      {
        class: "pg-request",
        submit: (event) => {
          event.preventDefault();
          this.onInput();
        },
      },
      h(
        "div",
        { class: "pg-line-fields" },
        this.#select(
          "method",
          "Method",
          METHODS.map((name) => [name, name]),
        ),
        this.#input("url", "URL", { inputmode: "url", placeholder: "https://shop.example.com/login" }),
        this.#input("ip", "Client address", { placeholder: "203.0.113.9" }),
        this.#input("times", "Times sent", { inputmode: "numeric", placeholder: "1" }),
      ),
      this.#more,
    );
  }

  get value(): Partial<Fields> {
    const filled = Array.from(this.#controls).filter(([, { value }]) => value !== "");
    return Object.fromEntries(filled.map(([name, { value }]) => [name, value]));
  }

  set value(fields: Partial<Fields>) {
    for (const [name, control] of this.#controls) control.value = fields[name] ?? (name === "method" ? "GET" : "");
    const hidden = ["country", "asn", "botScore", "verifiedBot", "response", "headers", "fields", "body"] as const;
    if (hidden.some((name) => (fields[name] ?? "") !== "")) this.#more.open = true;
  }

  #select(
    name: keyof Fields,
    label: string,
    options: readonly (readonly [value: string, text: string])[],
  ): HTMLElement {
    return this.#labelled(
      name,
      label,
      h("select", {}, ...options.map(([value, text]) => h("option", { value }, text))),
    );
  }

  #input(name: keyof Fields, label: string, attributes: Readonly<Record<string, string | number>>): HTMLElement {
    const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", ...attributes });
    return this.#labelled(name, label, input);
  }

  #area(name: keyof Fields, label: string, placeholder: string): HTMLElement {
    return this.#labelled(name, label, h("textarea", { rows: 2, spellcheck: "false", placeholder }));
  }

  #labelled(name: keyof Fields, label: string, control: Control): HTMLElement {
    control.id = newId();
    control.name = name;
    control.addEventListener("input", this.onInput);
    this.#controls.set(name, control);
    return h("div", { class: `pg-field pg-field-${name}` }, h("label", { for: control.id }, label), control);
  }
}
