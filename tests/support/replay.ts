import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What the service answered for each path, without the query; a number is the status of a failure. */
export type Recording = Readonly<Record<string, unknown>>;

/** A server that answers reads as the service did, and refuses everything else. */
export class Replay {
  /** Method and path of every request, with those that were refused. */
  readonly requests: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async start(recording: Recording): Promise<Replay> {
    const server = createServer((request, response) => {
      const { method = "", url = "" } = request;
      const [path = ""] = url.split("?");
      replay.requests.push(`${method} ${path}`);
      const answer = method === "GET" ? (recording[path] ?? 404) : 405;
      const failed = typeof answer === "number";
      const errors = failed ? [{ code: 1000 + answer, message: `recorded ${String(answer)}` }] : [];
      const size = Array.isArray(answer) ? answer.length : 0;
      const counts = { page: 1, per_page: 50, count: size, total_count: size, total_pages: 1 };
      const info = Array.isArray(answer) ? { result_info: { ...counts, cursors: {} } } : {};
      const body = { result: failed ? null : answer, success: !failed, errors, messages: [], ...info };
      response.writeHead(failed ? answer : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const replay = new Replay(server, `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/client/v4`);
    return replay;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}
