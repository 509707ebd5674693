import type { Simulation } from "../../core/simulator/index.js";
import type { Outgoing } from "./message.js";
import { UnusableResponse } from "./origin.js";

interface PageText {
  readonly title: string;
  readonly text: string;
}

/** The service's pages for rules without their own response. */
const PAGES: Readonly<Record<NonNullable<Simulation["decision"]>["outcome"], PageText>> = {
  blocked: { title: "Blocked", text: "A rule of this site blocked the request." },
  challenged: { title: "Just a moment...", text: "A rule of this site checks that this is a browser." },
  limited: { title: "Too many requests", text: "A rule of this site limits how often this can be requested." },
  redirected: { title: "Moved", text: "This page has moved." },
};

/** The page of an outcome, with the request's Ray ID as on the service's pages. */
export function pageOf(outcome: keyof typeof PAGES, ray: string): string {
  const { title, text } = PAGES[outcome];
  return html(title, `${text}</p>\n<p>Ray ID: ${ray}`);
}

/** A response of the edge itself, for requests that no zone of the emulator serves. */
export function refusal(status: number, text: string): Outgoing {
  return { status, headers: [["content-type", "text/plain; charset=utf-8"]], body: `${text}\n` };
}

function html(title: string, text: string): string {
  return `<!doctype html>\n<title>${title}</title>\n<h1>${title}</h1>\n<p>${text}</p>\n`;
}

/** How many zones the response about an unknown host names. */
const NAMED = 10;

/** The response to a host that no zone serves. */
export function noZone(host: string, zones: readonly string[]): Outgoing {
  const more = zones.length > NAMED ? ` and ${String(zones.length - NAMED)} more` : "";
  const names = zones.slice(0, NAMED).join(", ") + more;
  return refusal(
    409,
    `error code: 1001\nNo zone of the emulator serves the host "${host}". Send a Host header below one of: ${names}`,
  );
}

/**
 * The status for a failure at the connection to the origin. Other failures come after it is established: an origin that hangs
 * up, or whose response is not HTTP. https://developers.cloudflare.com/support/troubleshooting/http-status-codes/
 */
const FAILURES: Readonly<Record<string, number>> = { ECONNREFUSED: 521, ETIMEDOUT: 522, EHOSTUNREACH: 523 };

/** The response to a request whose origin did not answer it. */
export function originFailed(error: unknown): Outgoing {
  const { code = "", message } = error as Error & { readonly code?: string };
  const status = error instanceof UnusableResponse ? error.status : (FAILURES[code] ?? 520);
  return refusal(status, `error code: ${String(status)}\nThe origin does not respond: ${message}`);
}
