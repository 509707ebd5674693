import { pathOfPointer } from "../../client/index.js";
import { unasked } from "../../engine/request.js";
import type { Session } from "../../engine/session.js";
import { ApiError } from "../../model/errors.js";
import { scopeText } from "../../model/ids.js";
import type { Failure } from "../../validation/index.js";
import type { Desired } from "./desired.js";
import type { Content } from "./plan/content.js";
import type { WholeWrite } from "./whole-write.js";

type Subject = Pick<Desired, "target" | "where" | "urn">;

/**
 * The dry runs of a preview. None is sent before the service has shown that it heeds the parameter. What holds for the
 * whole run is told once.
 */
export class Rehearsals {
  /** Zones and accounts in which the credentials may not even be asked with. */
  private readonly barred = new Set<string>();
  private readonly told = new Set<string>();
  /** Whether a dry run was carried out as a write, against the proof: then no other follows. */
  private broken = false;

  constructor(private readonly session: Session) {}

  /** What the service has against the write that `find` finds; nothing where none is needed or none could be rehearsed. */
  async run(subject: Subject, find: () => Promise<WholeWrite | undefined>): Promise<readonly Failure[]> {
    try {
      const write = await find();
      if (write === undefined || !(await this.mayRehearse(subject, write))) return [];
      return await this.rehearse(subject, write);
    } catch (error) {
      return this.leftOpen(subject, error);
    }
  }

  private async rehearse(subject: Subject, { rehearse, content }: WholeWrite): Promise<readonly Failure[]> {
    try {
      await rehearse();
      this.session.reporter.info(subject.urn, `${subject.where}: the service takes the change (dry run).`);
      return [];
    } catch (error) {
      if (error instanceof ApiError && isRefusal(error)) return refusals(error, content);
      throw error;
    }
  }

  private async mayRehearse({ target: { scope }, urn }: Subject, { operation }: WholeWrite): Promise<boolean> {
    if (this.broken || this.barred.has(scopeText(scope))) return false;
    const heeded = await this.session.client.rulesets.heedsDryRun(scope, operation).catch((error: unknown) => {
      if (isForbidden(error)) this.barred.add(scopeText(scope));
      throw error;
    });
    if (!heeded) {
      const text =
        "the service does not show that it knows dry_run, so no dry run was sent: rulesets:dryRun has no effect";
      this.tellOnce(urn, "unheeded", text);
    }
    return heeded;
  }

  /** A question without an answer. Credentials that may only read are no fault of the change. */
  private leftOpen({ urn, where }: Subject, error: unknown): readonly Failure[] {
    if (error instanceof ApiError && error.code === "DRY_RUN_IGNORED") {
      this.broken = true;
      throw error;
    }
    if (isForbidden(error)) {
      const text = `no dry run: it needs a token that may write. ${error.message}`;
      this.tellOnce(urn, "forbidden", text);
      return [];
    }
    const request = { session: this.session, urn: urn ?? "", preview: true };
    const failure = unasked(request, error, `whether the service takes the change of ${where}`);
    return failure === undefined ? [] : [failure];
  }

  private tellOnce(urn: string | undefined, what: string, text: string): void {
    if (this.told.has(what)) return;
    this.told.add(what);
    this.session.reporter.warn(urn, text);
  }
}

function isForbidden(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === "API_FORBIDDEN" || error.code === "API_UNAUTHORIZED");
}

function isRefusal(error: ApiError): boolean {
  const { status = 0, code } = error;
  return status >= 400 && status < 500 && code !== "API_RATE_LIMITED" && !isForbidden(error);
}

/** What the service has against a content, each at its argument. */
function refusals({ errors, message, hint }: ApiError, { rules }: Content): readonly Failure[] {
  if (errors.length === 0) return [{ check: "dry-run", path: [], reason: message }];
  return errors.map((entry, at) => {
    const path = entry.pointer === undefined ? [] : pathOfPointer(entry.pointer);
    const ref = path[0] === "rules" ? rules[Number(path[1])]?.ref : undefined;
    const rule = ref === undefined ? "" : ` the rule ${JSON.stringify(ref)}`;
    const code = entry.code === undefined ? "" : `[${String(entry.code)}] `;
    const next = at === 0 && hint !== undefined ? `. ${hint}` : "";
    return {
      check: "dry-run",
      path,
      reason: `the service refuses${rule === "" ? " it" : rule}: ${code}${entry.message}${next}`,
    };
  });
}
