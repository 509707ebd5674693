import type { Edit } from "../../../tools/editor/embedded/embedded.js";
import { PLANS } from "../../../core/language/check/options.js";
import type { Span } from "../../../core/language/index.js";
import { EXAMPLES } from "../answers/examples.js";
import { EMPTY, formOfRequest, requestOfForm, sendingOfForm, type PageState } from "../answers/page-state.js";
import { Asking } from "./asking.js";
import { compareView } from "./compare-view.js";
import { h, newId, withCode } from "./dom.js";
import { Editor } from "./editor.js";
import { findingsView, marksOf, summaryOf } from "./findings-view.js";
import { journeyView } from "./journey-view.js";
import { linkOf, stateOfLink } from "./link.js";
import { RequestForm } from "./request-form.js";

interface PlaygroundOptions {
  /** Where the worker's script is. */
  readonly worker: URL;
  /** The page that explains findings. */
  readonly findingsPage?: string;
}

/** Rules, what is wrong with them, and what they do to a request; or two versions, and what tells them apart. */
export class Playground {
  readonly element: HTMLElement;
  readonly #asking: Asking;
  readonly #rules = new Editor(
    "Rules",
    "An expression, or rules or rulesets in YAML or JSON, as in a program or from the API. Tests are run.",
    () => {
      this.#changed();
    },
  );
  readonly #after = new Editor("Rules after the edit", "The same rules in the other version.", () => {
    this.#changed();
  });
  readonly #form = new RequestForm(() => {
    this.#changed();
  });
  readonly #plan = h("select", { id: newId() }, h("option", { value: "" }, "any plan"));
  readonly #examples = h("select", { id: newId() }, h("option", { value: "" }, "Choose an example"));
  readonly #modes = new Map<PageState["mode"], HTMLButtonElement>();
  readonly #summary = h("p", { class: "pg-summary", role: "status" });
  readonly #findings = h("div");
  readonly #verdict = h("p", { class: "pg-verdict", role: "status" });
  readonly #journey = h("div");
  readonly #comparison = h("div", { role: "status" });
  readonly #note = h("span", { class: "pg-note", role: "status" });
  #mode: PageState["mode"] = "try";
  #newest: PageState = EMPTY;

  constructor(private readonly options: PlaygroundOptions) {
    this.#asking = new Asking(options.worker);
    this.element = this.#layOut();
    this.#show({ ...EMPTY, ...EXAMPLES[0]?.state });
    addEventListener("hashchange", () => {
      void this.#followLink();
    });
    void this.#followLink();
  }

  /** Puts a state into the page. */
  #show(state: PageState): void {
    this.#rules.value = state.rules;
    this.#after.value = state.after;
    this.#form.value = state.request;
    this.#plan.value = state.plan;
    this.#setMode(state.mode);
  }

  get #state(): PageState {
    return {
      mode: this.#mode,
      rules: this.#rules.value,
      after: this.#after.value,
      plan: PLANS.find((plan) => plan === this.#plan.value) ?? "",
      request: this.#form.value,
    };
  }

  #layOut(): HTMLElement {
    this.#plan.append(...PLANS.map((plan) => h("option", { value: plan }, plan)));
    this.#plan.addEventListener("change", () => {
      this.#changed();
    });
    this.#examples.append(...EXAMPLES.map(({ title }, index) => h("option", { value: index }, title)));
    this.#examples.addEventListener("change", () => {
      const example = EXAMPLES[Number(this.#examples.value)];
      if (this.#examples.value !== "" && example !== undefined) this.#show({ ...EMPTY, ...example.state });
    });
    return h(
      "div",
      { class: "pg" },
      this.#bar(),
      h(
        "div",
        { class: "pg-columns" },
        h("section", { class: "pg-rules", "aria-label": "Rules" }, this.#rules.element, this.#summary, this.#findings),
        h(
          "section",
          { class: "pg-answer pg-for-try", "aria-label": "Request" },
          h("h2", {}, "Would this request be blocked?"),
          this.#form.element,
          this.#verdict,
          this.#journey,
        ),
        h(
          "section",
          { class: "pg-answer pg-for-compare", "aria-label": "Comparison" },
          this.#after.element,
          h("h2", {}, "What does the edit do?"),
          this.#comparison,
        ),
      ),
    );
  }

  #bar(): HTMLElement {
    const copy = h("button", { type: "button", click: () => void this.#copyLink() }, "Copy link");
    return h(
      "div",
      { class: "pg-bar" },
      h(
        "div",
        { class: "pg-modes", role: "group", "aria-label": "What to ask" },
        this.#modeButton("try", "Try a request"),
        this.#modeButton("compare", "Compare two versions"),
      ),
      h("div", { class: "pg-choice" }, h("label", { for: this.#examples.id }, "Example"), this.#examples),
      h("div", { class: "pg-choice" }, h("label", { for: this.#plan.id }, "Plan"), this.#plan),
      h("div", { class: "pg-choice" }, copy, this.#note),
    );
  }

  #modeButton(mode: PageState["mode"], label: string): HTMLElement {
    const click = (): void => {
      this.#setMode(mode);
    };
    const button = h("button", { type: "button", click }, label);
    this.#modes.set(mode, button);
    return button;
  }

  #setMode(mode: PageState["mode"]): void {
    this.#mode = mode;
    if (mode === "compare" && this.#after.value === "") this.#after.value = this.#rules.value;
    for (const [name, button] of this.#modes) button.setAttribute("aria-pressed", String(name === mode));
    this.element.dataset.mode = mode;
    this.#changed();
  }

  #changed(): void {
    const state = this.#state;
    this.#newest = state;
    this.#note.textContent = "";
    void this.#check(state);
    if (state.mode === "try") void this.#try(state);
    else void this.#compare(state);
  }

  async #check(state: PageState): Promise<void> {
    const { rules, plan } = state;
    const answer = await this.#asking.ask<"check">({ kind: "check", rules, plan: plan === "" ? undefined : plan });
    if (this.#newest !== state) return;
    this.#summary.textContent = summaryOf(answer);
    this.#rules.marks = marksOf(answer);
    const goTo = (span: Span): void => {
      this.#rules.select(span);
    };
    // The findings of a text say nothing about the next one.
    const change = (edits: readonly Edit[]): void => {
      if (this.#rules.value === rules) this.#rules.edit(edits);
    };
    const { findingsPage } = this.options;
    this.#findings.replaceChildren(...findingsView(answer, { text: rules, findingsPage, goTo, change }));
  }

  async #try(state: PageState): Promise<void> {
    const question = this.#question(state);
    if (typeof question === "string") {
      this.#showVerdict("none", question);
      return;
    }
    const answer = await this.#asking.ask<"try">(question);
    if (this.#newest !== state) return;
    if ("failure" in answer) {
      this.#showVerdict("none", `No answer: ${answer.failure}`);
      return;
    }
    this.#showVerdict(answer.outcome, sentenceOf(answer.verdict));
    this.#journey.replaceChildren(journeyView(answer));
  }

  /** What to ask about the request, or what is wrong with the form. */
  #question({ rules, plan, request }: PageState) {
    if (rules.trim() === "") return "";
    try {
      const kind = "try" as const;
      const known = plan === "" ? undefined : plan;
      return { kind, rules, plan: known, request: requestOfForm(request), ...sendingOfForm(request) };
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  #showVerdict(outcome: string, text: string): void {
    this.#verdict.className = `pg-verdict ${outcome}`;
    this.#verdict.replaceChildren(...(outcome === "none" ? withCode(text) : [text]));
    if (outcome === "none") this.#journey.replaceChildren();
  }

  async #compare(state: PageState): Promise<void> {
    const { rules: before, after } = state;
    const answer = await this.#asking.ask<"compare">({ kind: "compare", before, after });
    if (this.#newest !== state) return;
    if ("failure" in answer) {
      this.#comparison.replaceChildren(h("p", { class: "pg-verdict none" }, answer.failure));
      return;
    }
    const tryOn = (request: Parameters<typeof formOfRequest>[0]): void => {
      this.#show({ ...EMPTY, rules: after, plan: this.#state.plan, request: formOfRequest(request) });
    };
    this.#comparison.replaceChildren(...compareView(answer, tryOn));
  }

  async #copyLink(): Promise<void> {
    history.replaceState(null, "", await linkOf(this.#state));
    try {
      await navigator.clipboard.writeText(location.href);
      this.#note.textContent = "Copied.";
    } catch {
      this.#note.textContent = "The link is in the address bar.";
    }
  }

  async #followLink(): Promise<void> {
    try {
      const state = await stateOfLink(location.hash);
      if (state !== undefined) this.#show(state);
    } catch {
      this.#note.textContent = "The link is damaged or cut off, and was not read.";
    }
  }
}

/** `blocked by "Block admin"` as a sentence. */
function sentenceOf(verdict: string): string {
  return `${verdict.charAt(0).toUpperCase()}${verdict.slice(1)}.`;
}
