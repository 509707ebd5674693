import { satisfies, parseVersion } from "../../../core/model/software-version.js";
import { oldCatalogue } from "../../../core/language/catalogue/age.js";
import { CATALOGUE_DATE } from "../../../core/language/catalogue/values.js";
import type { CheckResult } from "./check-result.js";

/** What is installed where the command runs. */
export interface MachineFacts {
  /** `22.4.0`. */
  readonly node: string;
  readonly packageVersion: string;
  /** The versions that this package needs. */
  readonly needs: { readonly node: string; readonly sdk: string };
  /** Version of the Pulumi SDK that a program in this folder loads; undefined when there is none. */
  readonly sdk?: string;
  /** Version of this package that a program in this folder loads. */
  readonly installed?: string;
  /** The output of `pulumi version`, or why it failed. */
  readonly engine: { readonly version: string } | { readonly failure: string };
  /** Environment variables that affect how requests leave the machine, by name. */
  readonly network: Readonly<Record<string, string | undefined>>;
}

/** Compares the machine and this folder with what the package needs. */
export function machineResults(facts: MachineFacts): readonly CheckResult[] {
  return [nodeLine(facts), packageLine(facts), sdkLine(facts), engineLine(facts), ...networkLines(facts)];
}

/**
 * How old the catalogue of the rules language is, by which fields, functions and values are known.
 * @param now milliseconds since the epoch
 */
export function catalogueResult(now: number): CheckResult {
  const line = { area: "machine", subject: "Rules language", found: `its catalogue is of ${CATALOGUE_DATE}` } as const;
  const old = oldCatalogue(now);
  return old === undefined ? { ...line, status: "ok" } : { ...line, status: "warning", ...old };
}

function nodeLine({ node, needs }: MachineFacts): CheckResult {
  const fine = satisfies(node, needs.node);
  return {
    ...{ area: "machine", subject: "Node.js", found: node, status: fine ? "ok" : "failure" },
    ...(fine ? {} : { next: `install Node.js ${needs.node}` }),
  };
}

function packageLine({ packageVersion, installed }: MachineFacts): CheckResult {
  const line = { area: "machine", subject: "pulumi-rulesets" } as const;
  if (installed === undefined) {
    return {
      ...{ ...line, status: "unknown", found: `${packageVersion}; no program in this folder uses it` },
      next: "run this in the folder of a Pulumi program, or install the package there, as its README describes",
    };
  }
  if (installed === packageVersion) return { ...line, status: "ok", found: packageVersion };
  return {
    ...{
      ...line,
      status: "warning",
      found: `this command is ${packageVersion}, the program in this folder uses ${installed}`,
    },
    next: "run the program's own copy: npx pulumi-rulesets doctor",
  };
}

function sdkLine({ sdk, needs }: MachineFacts): CheckResult {
  const line = { area: "machine", subject: "Pulumi SDK" } as const;
  if (sdk === undefined) {
    return { ...line, status: "unknown", found: "none in this folder", next: "npm install @pulumi/pulumi" };
  }
  if (satisfies(sdk, needs.sdk)) return { ...line, status: "ok", found: sdk };
  return { ...line, status: "failure", found: sdk, next: `npm install @pulumi/pulumi@${JSON.stringify(needs.sdk)}` };
}

function engineLine({ engine, needs }: MachineFacts): CheckResult {
  const line = { area: "machine", subject: "Pulumi command" } as const;
  if ("failure" in engine) {
    const next = "install it: https://www.pulumi.com/docs/iac/download-install/";
    return { ...line, status: "failure", found: engine.failure, next };
  }
  const version = parseVersion(engine.version);
  if (version === undefined) {
    return { ...line, status: "unknown", found: `its version cannot be read: ${JSON.stringify(engine.version)}` };
  }
  const fine = satisfies(version, needs.sdk);
  return {
    ...{ ...line, status: fine ? "ok" : "warning", found: version },
    ...(fine ? {} : { next: `this version is older than any tested one; use ${needs.sdk}` }),
  };
}

const PROXIES = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

function networkLines({ network }: MachineFacts): readonly CheckResult[] {
  const proxies = PROXIES.flatMap((name) =>
    isSet(network[name]) ? [`${name}=${withoutPassword(network[name] ?? "")}`] : [],
  );
  const except = [network.NO_PROXY, network.no_proxy].find(isSet);
  const proxy: CheckResult = {
    ...{ area: "machine", subject: "Proxy", status: "ok" },
    found: proxies.length === 0 ? "none" : `${proxies.join(", ")}${except === undefined ? "" : `, not for ${except}`}`,
  };
  const unchecked: CheckResult[] =
    network.NODE_TLS_REJECT_UNAUTHORIZED === "0"
      ? [
          {
            ...{ area: "machine", subject: "TLS", status: "failure" },
            found:
              "NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not verified, so anyone on the network path can read the token",
            next: "unset it, and add the certificate of your proxy with NODE_EXTRA_CA_CERTS",
          },
        ]
      : [];
  return [proxy, ...unchecked];
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

/** An address without its user name and password. */
function withoutPassword(address: string): string {
  return address.replace(/^([a-z][\w+.-]*:\/\/)?[^@]*@/i, "$1");
}
