import { h } from "./dom.js";
import type { ApiRequest, EdgeEvent } from "./emulator-data.js";

/** A path without what is the same for all, and with IDs as short as previews show them. */
const shortPath = (path: string): string =>
  path.replace("/client/v4", "").replace(/\b([0-9a-f]{4})[0-9a-f]{28}\b/g, "$1…");

/** A URL that breaks between its parts before it breaks inside them. */
const breakable = (url: string): (string | Node)[] =>
  url.split(/(?<=[/?&])/).flatMap((part, index) => (index === 0 ? [part] : [h("wbr"), part]));

/** The latest requests to the API, the newest first. */
export function requestsView(requests: readonly ApiRequest[]): HTMLElement {
  if (requests.length === 0)
    return h("p", { class: "pg-hint" }, "None yet. A pulumi up against this emulator shows here.");
  return h(
    "ol",
    { class: "pg-log", tabindex: "0" },
    ...requests
      .toReversed()
      .map(({ method, path, query, status }) =>
        h(
          "li",
          { class: status >= 400 || status === 0 ? "failed" : method === "GET" ? "read" : "write" },
          h("b", {}, method),
          h("code", {}, ...breakable(`${shortPath(path)}${query === "" ? "" : `?${query}`}`)),
          h("span", {}, status === 0 ? "cut" : String(status)),
        ),
      ),
  );
}

/** The latest security events of a zone, the newest first; each can be tried again. */
export function eventsView(events: readonly EdgeEvent[], tryAgain: (event: EdgeEvent) => void): HTMLElement {
  if (events.length === 0)
    return h(
      "p",
      { class: "pg-hint" },
      "None yet. With --edge-port, the emulator serves the zones, and rules that act show here.",
    );
  return h(
    "ol",
    { class: "pg-log pg-events", tabindex: "0" },
    ...events.toReversed().map((event) =>
      h(
        "li",
        { class: event.action === "block" ? "failed" : "write" },
        h("b", {}, event.action),
        h("span", {}, event.description === "" ? event.ref : event.description),
        h(
          "button",
          {
            type: "button",
            click: () => {
              tryAgain(event);
            },
          },
          "Try again",
        ),
        h(
          "code",
          {},
          ...breakable(
            `${event.clientRequestHTTPMethodName} ${event.clientRequestHTTPHost}${event.clientRequestPath}${event.clientRequestQuery}`,
          ),
        ),
        h("span", { class: "pg-hint" }, `${event.datetime.slice(11, 19)} UTC, from ${event.clientIP}`),
      ),
    ),
  );
}
