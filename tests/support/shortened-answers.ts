import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { send } from "./http.js";

/**
 * A service whose rulesets without rules are returned without `rules`, as observed on the real one:
 * https://github.com/cloudflare/terraform-provider-cloudflare/commit/7f15668a902d6022dfc442c5cbddd45ea63176df
 */
export async function withoutEmptyRules(url: string): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    forward(url, request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

async function forward(url: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url: path = "/", headers } = request;
  const sent = await text(request);
  const { status, text: received } = await send(`${url}${path}`, method, {
    headers: { Authorization: headers.authorization ?? "" },
    ...(sent === "" ? {} : { body: sent }),
  });
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(
    received === ""
      ? ""
      : JSON.stringify(JSON.parse(received, (name, value: unknown) => (isNoRules(name, value) ? undefined : value))),
  );
}

function isNoRules(name: string, value: unknown): boolean {
  return name === "rules" && Array.isArray(value) && value.length === 0;
}
