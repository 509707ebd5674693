import type { Settings } from "../../../provider/settings.js";
import type { CheckResult } from "./check-result.js";
import type { StackSettings } from "../project/settings.js";

/** Where credentials were looked for, and what was found. */
export interface CredentialFacts {
  /** The settings of this environment, or why they cannot be used. */
  readonly settings: Settings | { readonly failure: string };
  /** The settings of the stack whose own credentials are checked, too; undefined if the folder has no stack. */
  readonly ofStack?: StackSettings;
  /** Variables that contain a credential, in order of precedence. */
  readonly variables: readonly string[];
  /** Stacks of the project in this folder that have credentials in their settings, with the keys of these. */
  readonly stacks: readonly {
    readonly stack: string;
    readonly encrypted: readonly string[];
    readonly clear: readonly string[];
  }[];
}

/** Which credentials there are, where they come from, and which are used. Never their values. */
export function credentialResults({ settings, ofStack, variables, stacks }: CredentialFacts): readonly CheckResult[] {
  return [
    ...environmentLines(settings, variables).filter(({ status }) => status !== "warning" || stacks.length === 0),
    ...stacks.flatMap(stackLines),
    ...(ofStack !== undefined && "failure" in ofStack ? [unreadLine(ofStack)] : []),
  ];
}

function unreadLine({ stack, failure }: Extract<StackSettings, { readonly failure: string }>): CheckResult {
  return {
    ...{ area: "credentials", subject: `Stack ${stack}`, status: "unknown" },
    found: `its credentials were not tried, because ${failure}`,
    next: "choose a stack with --stack; log in as for `pulumi up`, or set PULUMI_CONFIG_PASSPHRASE",
  };
}

function environmentLines(settings: CredentialFacts["settings"], variables: readonly string[]): readonly CheckResult[] {
  const line = { area: "credentials", subject: "Environment" } as const;
  if ("failure" in settings) {
    return [{ ...line, status: "failure", found: settings.failure }];
  }
  if (settings.credentials === undefined) {
    return [
      {
        ...{ ...line, status: "warning", found: "none" },
        next: "run `pulumi config set --secret rulesets:apiToken <token>` in the folder of a stack, or set CLOUDFLARE_API_TOKEN",
      },
    ];
  }
  const others = variables.filter((name) => !(settings.source ?? "").endsWith(name));
  return [
    { ...line, status: "ok", found: `uses ${settings.source ?? "the credentials of the settings"}` },
    ...(others.length === 0
      ? []
      : [
          {
            ...line,
            status: "ok" as const,
            found: `${others.join(", ")} ${others.length === 1 ? "is" : "are"} also set, but ignored`,
          },
        ]),
  ];
}

function stackLines({ stack, encrypted, clear }: CredentialFacts["stacks"][number]): readonly CheckResult[] {
  const line = { area: "credentials", subject: `Stack ${stack}` } as const;
  const lines: CheckResult[] = [];
  if (encrypted.length > 0) lines.push({ ...line, status: "ok", found: `contains ${encrypted.join(", ")}, encrypted` });
  if (clear.length > 0) {
    lines.push({
      ...{
        ...line,
        status: "failure",
        found: `contains ${clear.join(", ")} in plain text: everyone who can read the file can use it`,
      },
      next: `revoke it, and set a new one: pulumi config set --secret ${clear[0] ?? ""} --stack ${stack}`,
    });
  }
  return lines;
}
