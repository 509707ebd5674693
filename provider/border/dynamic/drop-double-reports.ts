/** Text of an expected failure, which identifies the host's own report of it. */
export const REPORTED_BY_ENGINE = "pulumi-rulesets: reported by the engine";

/**
 * Suppresses the host's own report of failures that the engine already shows with the resource: the dynamic host writes
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
