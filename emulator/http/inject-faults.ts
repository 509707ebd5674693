import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { failureBody } from "./envelope.js";
import { refuse, shown } from "../failure.js";
import type { Fault, Faults } from "./faults.js";
import { isOthers, OTHERS_HEADER, type RequestLog } from "./request-log.js";

declare module "fastify" {
  interface FastifyRequest {
    fault?: Fault;
  }
}

interface Injection {
  readonly faults: Faults;
  readonly log: RequestLog;
  readonly prefix: string;
}

/**
 * Injects faults into requests: delays, preceding requests of other clients, refusals, cut connections, or changed responses.
 */
export function injectFaults(app: FastifyInstance, { faults, log, prefix }: Injection): void {
  const cut = (request: FastifyRequest, reply: FastifyReply): void => {
    log.record(request, 0);
    reply.hijack();
    request.raw.socket.destroy();
  };

  app.addHook("onRequest", async (request, reply) => {
    if (!request.url.startsWith(`${prefix}/`) || isOthers(request)) return;
    const fault = faults.take(request.method, request.url.split("?")[0] ?? "");
    if (fault === undefined) return;
    request.fault = fault;
    if (fault.delayMs !== undefined) await delay(fault.delayMs);
    if (fault.hold === true) await faults.untilCleared();
    await sendOthers(prefix, request);
    if (fault.cut === "before") cut(request, reply);
    else if (fault.status !== undefined && fault.cut === undefined) await refuseAs(fault, fault.status, reply);
  });

  app.addHook("onSend", async (request, reply, payload) => {
    const { fault } = request;
    if (fault?.cut === "after") cut(request, reply);
    if (fault === undefined || fault.cut !== undefined || fault.status !== undefined) return payload;
    void reply.headers(fault.headers ?? {});
    if (fault.body === undefined && fault.messages === undefined) return payload;
    reply.removeHeader("content-length");
    if (fault.body === undefined) return withMessages(payload, fault.messages);
    return Promise.resolve(shown(fault.body));
  });
}

/** Adds messages to a response; one without a body is not changed. */
function withMessages(payload: unknown, more: Fault["messages"] = []): Promise<unknown> {
  if (typeof payload !== "string" || payload === "") return Promise.resolve(payload);
  const result = JSON.parse(payload) as { readonly messages?: readonly unknown[] };
  return Promise.resolve(JSON.stringify({ ...result, messages: [...(result.messages ?? []), ...more] }));
}

/** Executes requests of another client, with the credentials of the request that follows. */
async function sendOthers(prefix: string, { fault, headers, protocol, host }: FastifyRequest): Promise<void> {
  for (const { method, path, body } of fault?.meanwhile ?? []) {
    const whole = path.startsWith(`${prefix}/`) ? path : `${prefix}${path}`;
    const result = await fetch(`${protocol}://${host}${whole}`, {
      method: method.toUpperCase(),
      headers: { ...credentialsOf(headers), "Content-Type": "application/json", [OTHERS_HEADER]: "1" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await result.text();
    if (!result.ok) throw refuse(500, undefined, `the fault's ${method} ${path} failed: ${text}`);
  }
}

function credentialsOf(headers: FastifyRequest["headers"]): Record<string, string> {
  const names = ["authorization", "x-auth-email", "x-auth-key"];
  const sent = names.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(sent.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

async function refuseAs(fault: Fault, status: number, reply: FastifyReply): Promise<void> {
  const body = fault.body ?? failureBody(refuse(status, undefined, "injected fault"));
  const type = typeof body === "string" ? "text/html" : "application/json";
  await reply
    .code(status)
    .headers(fault.headers ?? {})
    .type(type)
    .send(body);
}
