import { request } from "node:http";

/** A response of the edge. */
export interface Visited {
  readonly status: number;
  /** By name in lower case; `set-cookie` is a list. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface Visit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request to the edge like a browser for a host of a zone. */
export function visit(edge: string, url: string, { method = "GET", headers = {}, body }: Visit = {}): Promise<Visited> {
  const [, host = "", path = ""] = /^https?:\/\/([^/]+)(.*)$/.exec(url) ?? [];
  return new Promise((resolve, reject) => {
    const sent = request(`${edge}${path}`, { method, headers: { Host: host, ...headers } }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => (text += part.toString()));
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
