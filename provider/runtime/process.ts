import { AsyncLocalStorage } from "node:async_hooks";
import { openSession, type SessionSurroundings } from "../connect.js";
import { hiding } from "../engine/reporter.js";
import type { Session } from "../engine/session.js";
// Past the index, so that a run that asks for nothing loads no client.
import { Gate } from "../http/gate.js";
import { Secrets } from "../redaction/secrets.js";
import { readSettings, type ConfigReader, type Environment } from "../settings.js";
import { engineReporter } from "./engine-log.js";
import { RunForecast } from "./run-forecast.js";
import { ServiceMessages } from "../client/service-messages.js";
import { readStackState } from "./stack-state.js";

/** What a process takes from its surroundings: the engine, the clock, and the machine's DNS. */
export type Surroundings = Pick<SessionSurroundings, "readStack" | "clock" | "resolveCaa"> &
  Partial<Pick<SessionSurroundings, "reporter">>;

/** The URN of the call that is being served, for progress at its row. One for all: each costs every promise some time, for ever. */
const serving = new AsyncLocalStorage<string>();

/** What one provider process shares between all resources: configuration, session, and the secrets to hide. */
export class ProviderProcess {
  readonly serving = serving;
  /** URNs of resources that this process has refreshed. */
  readonly refreshed = new Set<string>();
  private config: ConfigReader = () => undefined;
  private current: Session | undefined;
  private readonly gate = new Gate();
  private readonly messages = new ServiceMessages((urn, text) => this.current?.reporter.warn(urn, text));
  /** How long this run will take. */
  readonly forecast = new RunForecast({
    start: (text) => this.current?.reporter.info(undefined, text),
    progress: (text) => this.current?.reporter.status(undefined, text),
  });
  /** What nothing that this process says or stores may show. */
  readonly secrets = new Secrets();

  constructor(
    private readonly env: Environment,
    private readonly engineAddress: string | undefined,
    private readonly surroundings: Surroundings = {},
  ) {}

  /** Takes the configuration. Never throws and never waits: the host calls other methods at once. */
  configure(config: ConfigReader): void {
    this.config = config;
  }

  /** Begins no request any more. Resolves when those under way have their answers. */
  finish(): Promise<void> {
    return this.gate.close();
  }

  /** The session of this run. Throws when the configuration is wrong; lacking credentials show when they are needed. */
  session(): Session {
    this.current ??= openSession(readSettings(this.config, this.env), {
      readStack: readStackState,
      ...this.surroundings,
      reporter: hiding(this.surroundings.reporter ?? engineReporter(this.engineAddress), (text) =>
        this.secrets.hide(text),
      ),
      secrets: this.secrets,
      gate: this.gate,
      onPace: (pace) => {
        this.forecast.paced(pace);
      },
      onWait: (ms, reason) => {
        this.current?.reporter.status(this.serving.getStore(), `waiting ${String(Math.ceil(ms / 1000))} s ${reason}`);
      },
      onMessage: (message) => {
        this.messages.report(this.serving.getStore(), message);
      },
    });
    return this.current;
  }
}
