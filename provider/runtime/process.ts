import { AsyncLocalStorage } from "node:async_hooks";
import { openSession, type OpenSessionOptions } from "../connect.js";
import { hiding, once } from "../engine/reporter.js";
import type { Session } from "../engine/session.js";
// Not from the index of `http`, so that a run without requests does not load the client.
import { Gate } from "../http/gate.js";
import { Secrets } from "../redaction/secrets.js";
import { credentialsNote, readSettings, type ConfigReader, type Environment, type Settings } from "../settings.js";
import { engineReporter } from "./engine-log.js";
import { learningSecrets } from "./learn-secrets.js";
import { RunForecast } from "./run-forecast.js";
import { ServiceMessages } from "../client/service-messages.js";
import { readStackState } from "./stack-state.js";

/** External dependencies of a process: the engine, the clock and DNS. */
export type ProcessOptions = Pick<OpenSessionOptions, "readStack" | "clock" | "resolveCaa"> &
  Partial<Pick<OpenSessionOptions, "reporter">>;

/** URN of the current call, for progress messages. Only one, because every AsyncLocalStorage slows down all promises. */
const serving = new AsyncLocalStorage<string>();

/** State of a provider process that all resources share: configuration, session, and the secrets to hide. */
export class ProviderProcess {
  readonly serving = serving;
  /** URNs of resources that this process has refreshed. */
  readonly refreshed = new Set<string>();
  /** What the program has said about the credentials. */
  said: string | undefined;
  private config: ConfigReader = () => undefined;
  private current: Session | undefined;
  private readonly gate = new Gate();
  private readonly messages = new ServiceMessages((urn, text) => this.current?.reporter.warn(urn, text));
  /** Estimates how long this run will take. */
  readonly forecast = new RunForecast({
    start: (text) => this.current?.reporter.info(undefined, text),
    progress: (text) => this.current?.reporter.status(undefined, text),
  });
  /** Secrets that must not appear in messages or states of this process. */
  readonly secrets = new Secrets();

  constructor(
    private readonly env: Environment,
    private readonly engineAddress: string | undefined,
    private readonly surroundings: ProcessOptions = {},
  ) {}

  /** Sets the configuration. Neither throws nor waits, because the host calls other methods immediately. */
  configure(config: ConfigReader): void {
    this.config = config;
  }

  /** Starts no further requests. Resolves when those under way have their responses. */
  finish(): Promise<void> {
    return this.gate.close();
  }

  /** The session of this run. Throws if the configuration is invalid; missing credentials fail only when they are needed. */
  session(): Session {
    this.current ??= this.openSession(readSettings(this.config, this.env));
    return this.current;
  }

  private openSession(settings: Settings): Session {
    const session = openSession(settings, {
      ...this.surroundings,
      readStack: learningSecrets(this.surroundings.readStack ?? readStackState, this.secrets),
      reporter: once(
        hiding(this.surroundings.reporter ?? engineReporter(this.engineAddress), (text) => this.secrets.hide(text)),
      ),
      secrets: this.secrets,
      gate: this.gate,
      onPace: (pace) => {
        this.forecast.updatePace(pace);
      },
      onWait: (ms, reason) => {
        this.current?.reporter.status(this.serving.getStore(), `waiting ${String(Math.ceil(ms / 1000))} s ${reason}`);
      },
      onMessage: (message) => {
        this.messages.report(this.serving.getStore(), message);
      },
    });
    const note = credentialsNote(settings);
    if (note !== undefined && note.text !== this.said) session.reporter[note.severity](undefined, note.text);
    return session;
  }
}
