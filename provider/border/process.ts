import { AsyncLocalStorage } from "node:async_hooks";
import { openSession, type OpenSessionOptions } from "../connect.js";
import { hiding, naming, once } from "../engine/reporter.js";
import type { Session } from "../engine/session.js";
// Not from the index of `http`, so that a run without requests does not load the client.
import { systemClock } from "../../client/http/clock.js";
import { Gate, type Deadline } from "../../client/http/gate.js";
import { Secrets } from "../../client/redaction/secrets.js";
import { credentialsNote, readSettings, type ConfigReader, type Environment, type Settings } from "../settings.js";
import { engineReporter } from "./engine-log.js";
import { ServiceMessages } from "../../client/service-messages.js";

/** External dependencies of a process: the engine, the clock and DNS. */
export type ProcessOptions = Pick<OpenSessionOptions, "clock" | "resolveCaa"> &
  Partial<Pick<OpenSessionOptions, "reporter">>;

/** The current call. Only one storage, because every AsyncLocalStorage slows down all promises. */
interface Call {
  /** Of its resource, for progress messages. */
  readonly urn?: string;
  /** When it must end. */
  readonly deadline?: Deadline;
}
const calls = new AsyncLocalStorage<Call>();

/** State of a provider process that all resources share: configuration, session, and the secrets to hide. */
export class ProviderProcess {
  /** The URNs of resources that this process has refreshed. */
  readonly refreshed = new Set<string>();
  /** What the program has said about the credentials. */
  said: string | undefined;
  private config: ConfigReader = () => undefined;
  private current: Session | undefined;
  private readonly gate: Gate;
  private readonly messages = new ServiceMessages((urn, text) => this.current?.reporter.warn(urn, text));
  /** Secrets that must not appear in messages or states of this process. */
  readonly secrets = new Secrets();

  constructor(
    private readonly env: Environment,
    private readonly engineAddress: string | undefined,
    private readonly surroundings: ProcessOptions = {},
  ) {
    const { clock } = surroundings;
    this.gate = new Gate({ ...(clock === undefined ? {} : { clock }), deadline: () => calls.getStore()?.deadline });
  }

  /** Runs a call about a resource: messages appear at its row, and have arrived there when the call ends. */
  async serve<T>(urn: string, work: () => Promise<T>): Promise<T> {
    try {
      return await calls.run({ ...calls.getStore(), urn }, work);
    } finally {
      // The engine stops this process when it has all answers.
      await this.current?.reporter.delivered?.();
    }
  }

  /** Runs a call that sends no further write after a number of seconds, and then ends its waits. */
  limit<T>(seconds: number, words: string, work: () => Promise<T>): Promise<T> {
    const { clock = systemClock } = this.surroundings;
    return calls.run({ ...calls.getStore(), deadline: { at: clock.now() + seconds * 1000, words } }, work);
  }

  /** Sets the configuration. Neither throws nor waits, because the host calls other methods immediately. */
  configure(config: ConfigReader): void {
    this.config = config;
  }

  /** Starts no further requests. Resolves when those under way have their responses. */
  finish(): Promise<void> {
    return this.gate.close();
  }

  /** Ends every wait with an error, and refuses further requests. Resolves when those under way have their responses. */
  cancel(): Promise<void> {
    return this.gate.cancel();
  }

  /** The session of this run. Throws if the configuration is invalid; missing credentials fail only when they are needed. */
  session(): Session {
    this.current ??= this.openSession(readSettings(this.config, this.env));
    return this.current;
  }

  /** A text for people: with the names of zones, and without secrets. */
  async shown(text: string): Promise<string> {
    return this.secrets.hide((await this.current?.namedZones(text, true)) ?? text);
  }

  private openSession(settings: Settings): Session {
    const engine = this.surroundings.reporter ?? engineReporter(this.engineAddress);
    const hidden = hiding(engine, (text) => this.secrets.hide(text));
    const session = openSession(settings, {
      ...this.surroundings,
      reporter: once(naming(hidden, (text, isWorthRequest) => session.namedZones(text, isWorthRequest))),
      secrets: this.secrets,
      gate: this.gate,
      onWait: (ms, reason) => {
        this.current?.reporter.status(calls.getStore()?.urn, `waiting ${String(Math.ceil(ms / 1000))} s ${reason}`);
      },
      onMessage: (message) => {
        this.messages.report(calls.getStore()?.urn, message);
      },
    });
    const note = credentialsNote(settings);
    if (note !== undefined && note.text !== this.said) session.reporter[note.channel](undefined, note.text);
    return session;
  }
}
