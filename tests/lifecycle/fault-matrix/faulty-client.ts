import type { Client } from "../../../client/index.js";
import type { Fault } from "../../../emulator/index.js";
import type { Service } from "../../support/emulator.js";

/** What happens to one write of a run. */
export type WriteFault =
  | { readonly kind: "none" }
  | { readonly kind: "fault"; readonly fault: Fault; readonly blind?: boolean }
  /** The process ends before the write is sent, or after the service has carried it out. */
  | { readonly kind: "kill"; readonly after: boolean };

/** The faults of a run, by name. */
export const WRITE_FAULTS: Readonly<Record<string, WriteFault>> = {
  "no fault": { kind: "none" },
  "request lost": { kind: "fault", fault: { cut: "before" } },
  "response lost": { kind: "fault", fault: { cut: "after" } },
  "response lost, and no reads after it": { kind: "fault", fault: { cut: "after" }, blind: true },
  "500": { kind: "fault", fault: { status: 500 } },
  "503": { kind: "fault", fault: { status: 503 } },
  "504 as HTML": { kind: "fault", fault: { status: 504, body: "<html>504 Gateway Timeout</html>" } },
  "429": { kind: "fault", fault: { status: 429 } },
  "404 without being carried out": { kind: "fault", fault: { status: 404 } },
  "truncated JSON": { kind: "fault", fault: { body: '{"success": true, "result": {"id": "' } },
  "killed before": { kind: "kill", after: false },
  "killed after": { kind: "kill", after: true },
};

/** One fault in the writes of a run, and what somebody does between them. */
export interface Course {
  /** The index of the write that the fault happens to. */
  readonly write: number;
  readonly fault: WriteFault;
  /** The index of the write right before which somebody interferes. */
  readonly interferedWrite: number;
  readonly interfere: () => Promise<void>;
  readonly onKill: () => void;
}

class Killed extends Error {}

const GROUPS = ["rulesets", "customHostnames", "certificates", "lists"] as const;
const READS = /^(get|find|list|search|page|items|operation)/;

/** A client that follows a course: its calls are sent one after the other, and counted where they write. */
export class FaultyClient {
  /** The methods that wrote, in order. */
  readonly writes: string[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private isKilled = false;
  private isBlind = false;

  constructor(
    private readonly service: Service,
    private readonly course: Course | undefined,
  ) {}

  wrap(client: Client): Client {
    const wrapped = GROUPS.map((name) => [name, this.group(client[name])] as const);
    return { ...client, ...Object.fromEntries(wrapped) };
  }

  private group<T extends object>(group: T): T {
    return new Proxy(group, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== "function" || member.constructor.name === "AsyncGeneratorFunction") return member;
        return (...args: unknown[]): Promise<unknown> => {
          const send = () => member.apply(target, args) as Promise<unknown>;
          const call = this.last.then(() => this.call(String(name), send));
          this.last = call.catch(() => undefined);
          return call;
        };
      },
    });
  }

  private async call(name: string, send: () => Promise<unknown>): Promise<unknown> {
    if (this.isKilled) throw new Killed("killed");
    const { course } = this;
    if (READS.test(name)) {
      if (this.isBlind) await this.service.fault({ status: 503, method: "GET" });
      return this.sent(send);
    }
    const index = this.writes.push(name) - 1;
    if (course?.interferedWrite === index) await course.interfere();
    if (course?.write !== index) return this.sent(send);
    const { fault } = course;
    if (fault.kind === "none") return this.sent(send);
    if (fault.kind === "kill") {
      if (fault.after) await this.sent(send).catch(() => undefined);
      this.isKilled = true;
      course.onKill();
      throw new Killed("killed");
    }
    await this.service.fault(fault.fault);
    this.isBlind = fault.blind === true;
    return this.sent(send);
  }

  private async sent(send: () => Promise<unknown>): Promise<unknown> {
    try {
      return await send();
    } finally {
      await this.service.noFaults();
    }
  }
}
