/** How an expected failure prints itself, so that the host's own report of it can be told from all others. */
export const REPORTED_BY_ENGINE = "pulumi-rulesets: told by the engine";

/**
 * Drops the host's own report of failures that the engine tells at the resource's row anyway: the dynamic host writes
 * `${error}: ${error.stack}` to standard error for every error of check, diff, read and delete.
 */
export function dropDoubleReports(target: Pick<Console, "error">): void {
  const write = target.error.bind(target);
  target.error = (...parts: unknown[]): void => {
    const [first] = parts;
    if (typeof first === "string" && first.startsWith(REPORTED_BY_ENGINE)) return;
    write(...parts);
  };
}
