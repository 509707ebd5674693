import { AsyncLocalStorage } from "node:async_hooks";
import { caaResolver } from "./resolve-caa.js";
import { createClient, type Client } from "../client/index.js";
import { credentialSecrets } from "../http/auth.js";
import { Gate, Limiter, redact } from "../http/index.js";
import { systemClock } from "../http/clock.js";
import { Session } from "../session/session.js";
import { missingCredentials, readSettings, type ConfigReader, type Environment, type Settings } from "./config.js";
import { engineReporter } from "./engine-log.js";
import { readStackState } from "./stack-state.js";

/** What one provider process shares between all resources: configuration, session, and the secrets to hide. */
export class ProviderProcess {
  /** The URN of the call that is being served, for progress at its row. */
  readonly serving = new AsyncLocalStorage<string>();
  private config: ConfigReader = () => undefined;
  private settings: Settings | undefined;
  private client: Client | undefined;
  private current: Session | undefined;
  private readonly secrets = new Set<string>();
  private readonly gate = new Gate();

  constructor(
    private readonly env: Environment,
    private readonly engineAddress: string | undefined,
  ) {}

  /** Takes the configuration. Never throws and never waits: the host calls other methods at once. */
  configure(config: ConfigReader): void {
    this.config = config;
  }

  /** Begins no request any more. Resolves when those under way have their answers. */
  finish(): Promise<void> {
    return this.gate.close();
  }

  /** Hides these texts in everything this process says. */
  keepSecret(texts: readonly string[]): void {
    for (const text of texts) this.secrets.add(text);
  }
  hide(text: string): string {
    return redact(text, [...this.secrets]);
  }

  /** The session of this run. Throws when the configuration is wrong; lacking credentials show when they are needed. */
  session(): Session {
    if (this.current !== undefined) return this.current;
    const settings = this.readSettings();
    this.current = new Session({
      client: () => this.connect(),
      reporter: engineReporter(this.engineAddress, (text) => this.hide(text)),
      previewChecks: settings.previewChecks,
      onConflictOverride: settings.onConflictOverride,
      onConflictDefault: settings.onConflictDefault,
      resolveCaa: caaResolver(),
      readStack: readStackState,
    });
    return this.current;
  }

  private readSettings(): Settings {
    this.settings ??= readSettings(this.config, this.env);
    return this.settings;
  }

  private connect(): Client {
    if (this.client !== undefined) return this.client;
    const { credentials, source, baseUrl, timeoutSeconds, maxRetries, requestsPerSecond } = this.readSettings();
    if (credentials === undefined) throw missingCredentials();
    this.keepSecret(credentialSecrets(credentials));
    this.client = createClient({
      credentials,
      credentialsSource: source,
      baseUrl,
      timeoutSeconds,
      maxRetries,
      limiter: new Limiter({ requestsPerSecond, clock: systemClock }),
      gate: this.gate,
      onWait: (ms, reason) => {
        this.current?.reporter.status(this.serving.getStore(), `waiting ${String(Math.ceil(ms / 1000))} s ${reason}`);
      },
    });
    return this.client;
  }
}
