import { perRun } from "../../../engine/session.js";
import { pathOfPointer, rulePathOfPointer } from "../../../../client/pointer.js";
import { unavailableCheck } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import { ApiError, isAboutTheRequest, RulesetsError } from "../../../../core/model/errors.js";
import { scopeText, type Scope } from "../../../../core/model/ids.js";
import type { Path } from "../../../../core/model/path.js";
import { errorsIn, findingText, type ArgumentFinding, type Findings } from "../../../validation/index.js";
import type { DeclaredRules } from "../../rulesets/judge.js";
import type { TriedWrite } from "../../rulesets/write/ruleset-writes.js";

/** What a write applies to, for messages. */
export interface WriteSubject extends Pick<DeclaredRules, "reach"> {
  readonly target: { readonly scope: Scope };
  /** As messages name it. */
  readonly where: string;
  readonly urn: string | undefined;
}

/** The dry runs of this run. */
export const dryRuns = perRun((session: Session): DryRuns => new DryRuns(session));

/**
 * The dry runs of a preview. None is sent before the service has shown that it honours the parameter. What applies to
 * the whole run is reported once.
 */
class DryRuns {
  /** Zones and accounts where the credentials may not even send a dry run. */
  private readonly forbidden = new Set<string>();
  private readonly reported = new Set<string>();
  /** Whether a dry run was executed as a real write despite the proof: no other is sent then. */
  private broken = false;

  constructor(private readonly session: Session) {}

  /**
   * Returns what the service rejects about the writes that `find` returns; nothing if there are none or no dry run is
   * possible.
   */
  async run(subject: WriteSubject, find: () => Promise<readonly TriedWrite[]>): Promise<Findings> {
    const refused: ArgumentFinding[] = [];
    try {
      const writes = await find();
      for (const write of writes) {
        if (!(await this.isPossible(subject, write))) return refused;
        refused.push(...(await this.send(subject, write)));
      }
      if (writes.length > 0 && refused.length === 0) {
        this.session.reporter.info(subject.urn, `${subject.where}: the service accepts the change (dry run).`);
      }
      return refused;
    } catch (error) {
      return [...refused, ...this.withoutResult(subject, error)];
    }
  }

  private async send(subject: WriteSubject, { dryRun, ...write }: TriedWrite): Promise<Findings> {
    try {
      await dryRun();
      return [];
    } catch (error) {
      if (error instanceof ApiError && isAboutTheRequest(error)) return refusals(error, subject, write, this.session);
      throw error;
    }
  }

  private async isPossible({ target: { scope }, urn }: WriteSubject, { operation }: TriedWrite): Promise<boolean> {
    if (this.broken || this.forbidden.has(scopeText(scope))) return false;
    const honoured = await this.session.client.rulesets.honoursDryRun(scope, operation).catch((error: unknown) => {
      if (isDenied(error)) this.forbidden.add(scopeText(scope));
      throw error;
    });
    if (!honoured) {
      const text =
        "the service did not show that it supports dry_run, so no dry run was sent; rulesets:dryRun has no effect";
      this.reportOnce(urn, "ignored", text);
    }
    return honoured;
  }

  /** Handles a dry run without a result. Credentials without write permission are not a fault of the change. */
  private withoutResult({ urn, where }: WriteSubject, error: unknown): Findings {
    if (error instanceof ApiError && error.code === "DRY_RUN_IGNORED") {
      this.broken = true;
      throw error;
    }
    if (isDenied(error)) {
      const text = `no dry run: it needs a token with write permission. ${error.message}`;
      this.reportOnce(urn, "forbidden", text);
      return [];
    }
    const request = { session: this.session, urn: urn ?? "", preview: true };
    return unavailableCheck(request, error, `whether the service accepts the change of ${where}`);
  }

  private reportOnce(urn: string | undefined, what: string, text: string): void {
    if (this.reported.has(what)) return;
    this.reported.add(what);
    this.session.reporter.warn(urn, text);
  }
}

/** Stops a preview in `diff`, where only an error can. */
export function stopAtRefusals(session: Session, { where, urn }: WriteSubject, found: Findings): void {
  for (const one of found) if (one.severity !== "error") session.reporter.warn(urn, findingText(one));
  const failures = errorsIn(found);
  if (failures.length === 0) return;
  const what = failures.some(({ code }) => code === REFUSAL)
    ? "the service rejects the change"
    : "whether the service accepts the change is not known";
  const text = [`${where}: ${what}. Nothing was written.`, ...failures.map(findingText)].join("\n");
  throw new RulesetsError(text, { code: "API_INVALID" });
}

function isDenied(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.code === "API_FORBIDDEN" || error.code === "API_UNAUTHORIZED");
}

const REFUSAL = "dry-run";

/** What the service rejects, each with the path of its argument: a warning if the stack says so. */
function refusals(
  { errors, message, hint }: ApiError,
  subject: WriteSubject,
  { rules = [], rule: own }: Pick<TriedWrite, "rules" | "rule">,
  { dryRun }: Session,
): Findings {
  const severity = dryRun === "warn" ? "warning" : "error";
  if (errors.length === 0) return [{ code: REFUSAL, severity, path: [], message }];
  return errors.map((entry, at) => {
    const path = pathOf(entry.pointer, own);
    const ref = own?.ref ?? (path[0] === "rules" ? rules[Number(path[1])]?.ref : undefined);
    const rule = ref === undefined ? "it" : subject.reach.ruleWords(ref);
    const code = entry.code === undefined ? "" : `[${String(entry.code)}] `;
    const next = at === 0 && hint !== undefined ? `. ${hint}` : "";
    return {
      code: REFUSAL,
      severity,
      path: subject.reach.argumentPath(path),
      message: `the service rejects ${rule}: ${code}${entry.message}${next}`,
    };
  });
}

/** The path in a list of rules for a pointer into a ruleset, or into the one rule of the write. */
function pathOf(pointer: string | undefined, own: TriedWrite["rule"]): Path {
  if (own === undefined) return pointer === undefined ? [] : pathOfPointer(pointer);
  return ["rules", own.index, ...(pointer === undefined ? [] : rulePathOfPointer(pointer))];
}
