import { connect } from "node:net";
import type { Emulator } from "../../emulator/index.js";
import { TOKEN } from "./emulator.js";
import { send } from "./http.js";

/** The envelope of every response. */
export interface Envelope<T> {
  readonly result: T;
  readonly success: boolean;
  readonly errors: readonly {
    readonly code?: number;
    readonly message: string;
    readonly source?: { pointer: string };
  }[];
  readonly messages: readonly { readonly message: string }[];
  readonly result_info?: Readonly<Record<string, unknown>>;
}

export interface Answered<T> extends Envelope<T> {
  readonly status: number;
}

/** Sends requests as given, valid or not, and returns any response. */
export class Caller {
  constructor(private readonly emulator: Pick<Emulator, "url">) {}

  /** A string body is sent unchanged. */
  async send<T = unknown>(method: string, path: string, body?: unknown): Promise<Answered<T>> {
    const headers = { Authorization: `Bearer ${TOKEN}` };
    const { status, text } = await send(`${this.emulator.url}${path}`, method, { headers, body });
    return { status, ...((text === "" ? {} : JSON.parse(text)) as Envelope<T>) };
  }

  /** The result of a request that must succeed. */
  async result<T = Record<string, unknown> & { readonly id: string }>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<T> {
    const answer = await this.send<T>(method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer.result;
  }

  /** The response to bytes that may not be valid HTTP. */
  raw(bytes: string): Promise<string> {
    return exchange(Number(new URL(this.emulator.url).port), bytes);
  }

  async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const url = `${this.emulator.url.replace("/client/v4", "/__emulator")}${path}`;
    return JSON.parse((await send(url, method, { body: JSON.stringify(body) })).text) as T;
  }
}

/** What a server sends for bytes that may not be valid HTTP, until it closes the connection. `end` closes our side at once. */
export function exchange(
  port: number,
  bytes: string,
  { end = false }: { readonly end?: boolean } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(bytes, "latin1");
      if (end) socket.end();
    });
    socket.on("data", (chunk) => (received += chunk.toString("latin1")));
    socket.on("close", () => {
      resolve(received);
    });
    socket.on("error", reject);
  });
}

/** Status and codes of a response. */
export const codes = (answer: Answered<unknown>): (number | undefined)[] => [
  answer.status,
  ...answer.errors.map(({ code }) => code),
];
