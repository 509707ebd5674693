import type { Call, Transport } from "../http/index.js";
import { ApiError } from "../model/errors.js";
import type { Scope } from "../model/ids.js";
import { encode } from "./pages.js";

/** Writes that can be rehearsed: of whole rulesets, and of single rules. */
export type DryRunOperation = "create" | "replace" | "replaceEntrypoint" | "addRule" | "patchRule";

/** No ruleset has this id, and none gets it: the service makes random ones. */
const NOWHERE = "0".repeat(32);
/** Neither of the two values that the parameter takes. */
const PROBE = { dry_run: "probe" };

/**
 * Whether the service honours `dry_run`, found out by requests that change nothing whatever the service does with the
 * parameter, and remembered. A service that knows the parameter refuses any value but `true` and `false` with 400 and
 * says why; only that is taken as proof. The first probe deletes a ruleset that cannot exist: there is nothing to lose
 * even where nothing is checked. Only a service that has passed it gets the second, the operation itself, at a ruleset or
 * a phase that cannot exist or without any content. Source:
 * https://developers.cloudflare.com/ruleset-engine/rulesets-api/dry-run/.
 */
export class DryRunProof {
  private knownForDelete: Promise<boolean> | undefined;
  private readonly knownByOperation = new Map<DryRunOperation, Promise<boolean>>();

  constructor(private readonly transport: Transport) {}

  /** Throws an {@link ApiError} where the credentials may not write, or there is no answer; the next call asks again. */
  async isHonoured(scope: Scope, operation: DryRunOperation): Promise<boolean> {
    const root = `/${scope.level}/${encode(scope.id)}/rulesets`;
    this.knownForDelete ??= this.refuses({ method: "DELETE", path: `${root}/${NOWHERE}` });
    if (!(await this.forgetOnError(this.knownForDelete, () => (this.knownForDelete = undefined)))) return false;
    const asked = this.knownByOperation.get(operation) ?? this.refuses(callOf(root, operation));
    this.knownByOperation.set(operation, asked);
    return this.forgetOnError(asked, () => this.knownByOperation.delete(operation));
  }

  private async forgetOnError(answer: Promise<boolean>, forget: () => void): Promise<boolean> {
    try {
      return await answer;
    } catch (error) {
      forget();
      throw error;
    }
  }

  private async refuses(call: Call): Promise<boolean> {
    try {
      await this.transport.send({ ...call, query: PROBE });
      return false;
    } catch (error) {
      if (error instanceof ApiError && isAboutTheRequest(error)) return namesParameter(error);
      throw error;
    }
  }
}

function callOf(root: string, operation: DryRunOperation): Call {
  switch (operation) {
    case "create":
      return { method: "POST", path: root, body: {} };
    case "replace":
      return { method: "PUT", path: `${root}/${NOWHERE}`, body: {} };
    case "replaceEntrypoint":
      return { method: "PUT", path: `${root}/phases/none/entrypoint`, body: {} };
    case "addRule":
      return { method: "POST", path: `${root}/${NOWHERE}/rules`, body: {} };
    case "patchRule":
      return { method: "PATCH", path: `${root}/${NOWHERE}/rules/${NOWHERE}`, body: {} };
  }
}

/** Whether the service has looked at the request and refused it, rather than the credentials or the moment. */
function isAboutTheRequest({ status = 0, code }: ApiError): boolean {
  return status >= 400 && status < 500 && !["API_UNAUTHORIZED", "API_FORBIDDEN", "API_RATE_LIMITED"].includes(code);
}

function namesParameter({ status, errors }: ApiError): boolean {
  return status === 400 && errors.some(({ message, pointer }) => `${message} ${pointer ?? ""}`.includes("dry_run"));
}
