/** A rule as a program writes it (camelCase) or as the API answers it (snake_case). */
export interface RuleInput {
  readonly ref?: string;
  readonly id?: string;
  readonly description?: string;
  readonly action: string;
  /** Rules of managed rulesets come without. Whether such a rule matches is not known. */
  readonly expression?: string;
  /** @default true */
  readonly enabled?: boolean;
  readonly actionParameters?: object;
  readonly action_parameters?: object;
  readonly ratelimit?: object;
  readonly exposedCredentialCheck?: object;
  readonly exposed_credential_check?: object;
}

export interface RulesetInput {
  /** What `execute` and `skip` name it by. */
  readonly id?: string;
  readonly name?: string;
  /** `root` is the entry point of an account, `zone` that of a zone. @default "root" with an account ID, else "zone" */
  readonly kind?: string;
  readonly phase: string;
  readonly zoneId?: string;
  readonly accountId?: string;
  readonly rules: readonly RuleInput[];
}
