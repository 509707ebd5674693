import type { Call, Transport } from "./http/index.js";
import { ApiError, isAboutTheRequest } from "../core/model/errors.js";
import type { Scope } from "../core/model/ids.js";
import { encodeSegment } from "./pages.js";

/** Writes that support a dry run: of whole rulesets, and of single rules. */
export type DryRunOperation = "create" | "replace" | "replaceEntrypoint" | "addRule" | "patchRule";

/** No ruleset ever has this ID, because the service generates random ones. */
const NOWHERE = "0".repeat(32);
/** Neither of the two values that the parameter accepts. */
const PROBE = { dry_run: "probe" };

/**
 * Determines whether the service honours `dry_run`, with requests that change nothing even if it ignores the parameter. The
 * result is cached. A service that supports the parameter refuses any value except `true` and `false` with 400 and names the
 * parameter; only that counts as proof. The first probe deletes a ruleset that cannot exist, so nothing can be lost. Only
 * a service that passes it gets the second probe: the operation itself, on a ruleset or a phase that cannot exist, or with
 * an empty body. Source: https://developers.cloudflare.com/ruleset-engine/rulesets-api/dry-run/.
 */
export class DryRunProof {
  private knownForDelete: Promise<boolean> | undefined;
  private readonly knownByOperation = new Map<DryRunOperation, Promise<boolean>>();

  constructor(private readonly transport: Transport) {}

  /** Throws an {@link ApiError} if the credentials may not write or no response arrives; the next call probes again. */
  async isHonoured(scope: Scope, operation: DryRunOperation): Promise<boolean> {
    const root = `/${scope.level}/${encodeSegment(scope.id)}/rulesets`;
    this.knownForDelete ??= this.isRefused({ method: "DELETE", path: `${root}/${NOWHERE}` });
    if (!(await this.forgetOnError(this.knownForDelete, () => (this.knownForDelete = undefined)))) return false;
    const asked = this.knownByOperation.get(operation) ?? this.isRefused(callOf(root, operation));
    this.knownByOperation.set(operation, asked);
    return this.forgetOnError(asked, () => this.knownByOperation.delete(operation));
  }

  private async forgetOnError(response: Promise<boolean>, forget: () => void): Promise<boolean> {
    try {
      return await response;
    } catch (error) {
      forget();
      throw error;
    }
  }

  private async isRefused(call: Call): Promise<boolean> {
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

function namesParameter({ status, errors }: ApiError): boolean {
  return status === 400 && errors.some(({ message, pointer }) => `${message} ${pointer ?? ""}`.includes("dry_run"));
}
