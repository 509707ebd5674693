import type { Simulation } from "../../simulator/index.js";
import type { Outgoing } from "./message.js";

interface Page {
  readonly title: string;
  readonly text: string;
}

/** What the service shows where a rule brings no answer of its own. */
const PAGES: Readonly<Record<NonNullable<Simulation["decision"]>["outcome"], Page>> = {
  blocked: { title: "Blocked", text: "A rule of this site blocks the request." },
  challenged: { title: "Just a moment...", text: "A rule of this site wants to know that this is a browser." },
  limited: { title: "Too many requests", text: "A rule of this site limits how often this can be requested." },
  redirected: { title: "Moved", text: "This page is at another address." },
};

/** The page of an outcome, with the request's number as on the pages of the service. */
export function pageOf(outcome: keyof typeof PAGES, ray: string): string {
  const { title, text } = PAGES[outcome];
  return html(title, `${text}</p>\n<p>Ray ID: ${ray}`);
}

/** An answer of the edge itself: nothing of the emulator serves the request. */
export function refusal(status: number, text: string): Outgoing {
  return { status, headers: [["content-type", "text/plain; charset=utf-8"]], body: `${text}\n` };
}

function html(title: string, text: string): string {
  return `<!doctype html>\n<title>${title}</title>\n<h1>${title}</h1>\n<p>${text}</p>\n`;
}
