import { Agent, request } from "node:http";

export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly text: string;
}

export interface Sending {
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent unchanged. */
  readonly body?: unknown;
}

/** Connections are reused, like those of `fetch`. */
const agent = new Agent({ keepAlive: true });

/** A request over HTTP at less than half the cost of `fetch`: the tests send tens of thousands. */
export function send(url: string, method: string, { headers, body }: Sending = {}): Promise<Answer> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  // Set the length: Node sends the body of a DELETE without it.
  const about =
    text === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { ...about, ...headers } }, (answer) => {
      const { statusCode: status = 0 } = answer;
      let received = "";
      answer.setEncoding("utf8");
      answer.on("data", (part: string) => (received += part));
      answer.on("end", () => {
        resolve({ ok: status >= 200 && status < 300, status, text: received });
      });
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(text);
  });
}
