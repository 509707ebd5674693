import { EMPTY } from "../answers/page-state.js";
import { textOfRulesets, type DeployedList } from "../answers/deployed-rules.js";
import { eventsView, requestsView } from "./activity-view.js";
import { h, newId } from "./dom.js";
import { emulator, rulesetsWith, type EdgeEvent, type VersionedRuleset, type ZoneSummary } from "./emulator-data.js";
import { Playground } from "./playground.js";
import { versionsView } from "./versions-view.js";

const EVERY_MS = 1000;

/** What an emulator has: its zones with their rules, to try requests on, and what happens in it. */
export class EmulatorPage {
  readonly element: HTMLElement;
  readonly #playground: Playground;
  readonly #zones = h("select", { id: newId() });
  readonly #changed = h("p", { class: "pg-changed", role: "status" });
  readonly #versions = h("div");
  readonly #requests = h("div");
  readonly #events = h("div");
  #rulesets: readonly VersionedRuleset[] = [];
  #lists: readonly DeployedList[] = [];
  /** The zone and its state as shown. */
  #shown: ZoneSummary | undefined;
  /** The rules as filled in: as long as they are these, nobody has changed them. */
  #filled = "";
  readonly #written = new Map<HTMLElement, string>();

  constructor(worker: URL) {
    this.#playground = new Playground({ worker, examples: [], hasLink: false });
    this.#zones.addEventListener("change", () => {
      this.#shown = undefined;
      void this.refresh();
    });
    this.element = h(
      "div",
      { class: "pg" },
      h(
        "header",
        { class: "pg-bar" },
        h("h1", {}, "Emulator"),
        h("div", { class: "pg-choice" }, h("label", { for: this.#zones.id }, "Zone"), this.#zones),
        this.#changed,
      ),
      this.#playground.element,
      h(
        "div",
        { class: "pg-below" },
        h("section", { "aria-label": "Rulesets" }, h("h2", {}, "Rulesets and their versions"), this.#versions),
        h("section", { "aria-label": "Requests" }, h("h2", {}, "Requests to the API"), this.#requests),
        h("section", { "aria-label": "Events" }, h("h2", {}, "Events of the zone"), this.#events),
      ),
    );
  }

  /** Shows what the emulator has, now and from then on. */
  async start(): Promise<void> {
    await this.refresh();
    setTimeout(() => {
      void this.start();
    }, EVERY_MS);
  }

  /** Shows what the emulator has now. */
  async refresh(): Promise<void> {
    if (document.hidden) return;
    try {
      const zones = await emulator.zones();
      this.#offer(zones);
      const zone = zones.find(({ id }) => id === this.#zones.value);
      if (zone !== undefined) await this.#showZone(zone);
      const requests = await emulator.requests();
      this.#write(this.#requests, requests, () => requestsView(requests));
    } catch {
      this.#changed.textContent = "The emulator does not answer.";
      return;
    }
    if (this.#changed.textContent === "The emulator does not answer.") this.#changed.textContent = "";
  }

  /** Keeps the chosen zone while others come and go. */
  #offer(zones: readonly ZoneSummary[]): void {
    const known = zones.map(({ id, name, plan }) => `${id} ${name} ${plan}`).join("\n");
    const chosen = this.#zones.value;
    this.#write(this.#zones, known, () =>
      zones.map(({ id, name, plan }) => h("option", { value: id }, `${name} (${plan})`)),
    );
    const isThere = zones.some(({ id }) => id === chosen);
    const best = isThere ? chosen : (zones.toSorted((a, b) => b.rulesets - a.rulesets)[0]?.id ?? "");
    if (this.#zones.value !== best) this.#zones.value = best;
  }

  async #showZone(zone: ZoneSummary): Promise<void> {
    const events = await emulator.events(zone.id);
    this.#write(this.#events, events, () =>
      eventsView(events, (event) => {
        this.#tryAgain(event);
      }),
    );
    const before = this.#shown;
    if (before?.id === zone.id && before.state === zone.state) return;
    [this.#rulesets, this.#lists] = await Promise.all([emulator.rulesets(zone.id), emulator.lists(zone.id)]);
    this.#shown = zone;
    this.#write(this.#versions, this.#rulesets, () =>
      versionsView(this.#rulesets, (id, version) => {
        this.#compareWith(id, version);
      }),
    );
    const isSame = before?.id === zone.id;
    if (!isSame || this.#playground.state.rules === this.#filled) this.#fill(zone, isSame);
    else this.#offerNewRules(zone);
  }

  /** Puts the deployed rules into the editor. The request stays, unless the zone is another. */
  #fill(zone: ZoneSummary, isSame: boolean): void {
    this.#filled = this.#text();
    const request = isSame ? this.#playground.state.request : { url: `https://${zone.name}/`, ip: "203.0.113.9" };
    this.#playground.show({ ...EMPTY, rules: this.#filled, plan: zone.plan, request });
    this.#changed.textContent = isSame ? "The rules changed; these are the new ones." : "";
  }

  /** The deployed rules, or another version of one of the rulesets. */
  #text(other?: { readonly id: string; readonly version: string }): string {
    return textOfRulesets(rulesetsWith(this.#rulesets, other), this.#lists);
  }

  #offerNewRules(zone: ZoneSummary): void {
    const click = (): void => {
      this.#fill(zone, true);
    };
    this.#changed.replaceChildren(
      "The rules of the zone changed. ",
      h("button", { type: "button", click }, "Show the new ones"),
    );
  }

  #compareWith(id: string, version: string): void {
    const rules = this.#text({ id, version });
    const after = this.#text();
    this.#playground.show({ ...this.#playground.state, mode: "compare", rules, after });
    this.#playground.element.scrollIntoView();
  }

  #tryAgain(event: EdgeEvent): void {
    const request = {
      method: event.clientRequestHTTPMethodName,
      url: `https://${event.clientRequestHTTPHost}${event.clientRequestPath}${event.clientRequestQuery}`,
      ip: event.clientIP,
      headers: event.userAgent === "" ? "" : `User-Agent: ${event.userAgent}`,
    };
    this.#playground.show({ ...this.#playground.state, mode: "try", rules: this.#filled, request });
    this.#playground.element.scrollIntoView();
  }

  /** Replaces what an element shows if its data changed, so that nobody loses a place or a selection each second. */
  #write(place: HTMLElement, data: unknown, make: () => HTMLElement | readonly HTMLElement[]): void {
    const text = JSON.stringify(data);
    if (this.#written.get(place) === text) return;
    this.#written.set(place, text);
    place.replaceChildren(...[make()].flat());
  }
}
