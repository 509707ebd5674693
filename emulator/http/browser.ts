import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { refuse } from "../failure.js";

/**
 * Refuses requests to control routes that a page of another site sends: from a browser on this machine, it could otherwise reset the
 * emulator, or read what it got. Programs that are no browsers send no `Origin`, and may use any name of the machine.
 */
export function refuseOtherSites({ origin, host = "", "sec-fetch-site": site }: IncomingHttpHeaders): void {
  const isBrowser = origin !== undefined || site !== undefined;
  if (!isBrowser) return;
  const isOtherSite = origin !== undefined && hostOf(origin) !== host;
  // A name that somebody else lets point to this machine is of the same site as their page.
  if (isOtherSite || !isOfMachine(host))
    throw refuse(
      403,
      undefined,
      "control routes can only be used by the emulator's own page, at localhost or an IP address",
    );
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function isOfMachine(host: string): boolean {
  if (!URL.canParse(`http://${host}`)) return false;
  const name = new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name.endsWith(".localhost") || isIP(name) !== 0;
}
