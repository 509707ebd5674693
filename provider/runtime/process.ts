import { AsyncLocalStorage } from "node:async_hooks";
import { caaResolver } from "./resolve-caa.js";
import type { Client } from "../client/index.js";
import { connect } from "../connect.js";
import { credentialSecrets } from "../http/auth.js";
import { Gate } from "../http/index.js";
import { Secrets } from "../redaction/secrets.js";
import { Session } from "../engine/session.js";
import { readSettings, type ConfigReader, type Environment, type Settings } from "./config.js";
import { engineReporter } from "./engine-log.js";
import { readStackState } from "./stack-state.js";

/** What one provider process shares between all resources: configuration, session, and the secrets to hide. */
export class ProviderProcess {
  /** The URN of the call that is being served, for progress at its row. */
  readonly serving = new AsyncLocalStorage<string>();
  /** URNs of resources that this process has refreshed. */
  readonly refreshed = new Set<string>();
  private config: ConfigReader = () => undefined;
  private settings: Settings | undefined;
  private client: Client | undefined;
  private current: Session | undefined;
  private readonly gate = new Gate();
  /** What nothing that this process says or stores may show. */
  readonly secrets = new Secrets();

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

  /** The session of this run. Throws when the configuration is wrong; lacking credentials show when they are needed. */
  session(): Session {
    if (this.current !== undefined) return this.current;
    const settings = this.readSettings();
    this.current = new Session({
      client: () => this.connect(),
      reporter: engineReporter(this.engineAddress, (text) => this.secrets.hide(text)),
      secrets: this.secrets,
      previewChecks: settings.previewChecks,
      ruleAnalysis: settings.ruleAnalysis,
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
    const settings = this.readSettings();
    const { credentials, baseUrl } = settings;
    if (credentials !== undefined) {
      for (const secret of credentialSecrets(credentials, baseUrl)) this.secrets.add(secret);
    }
    this.client = connect(settings, {
      hide: (text) => this.secrets.hideEcho(text),
      gate: this.gate,
      onWait: (ms, reason) => {
        this.current?.reporter.status(this.serving.getStore(), `waiting ${String(Math.ceil(ms / 1000))} s ${reason}`);
      },
    });
    return this.client;
  }
}
