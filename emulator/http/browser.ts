import type { IncomingHttpHeaders } from "node:http";
import { refuse } from "../failure.js";

/**
 * Refuses requests to control routes that a page sends: from a browser on this machine, it could otherwise reset the emulator, or
 * read what it got. Programs that are no browsers send neither header, and the address bar says that no page is behind it.
 */
export function refusePages({ origin, "sec-fetch-site": site = "none" }: IncomingHttpHeaders): void {
  if (origin !== undefined || site !== "none") throw refuse(403, undefined, "control routes cannot be used by a page");
}
