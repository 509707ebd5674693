/** The version in a text such as `v3.259.0`; undefined if there is none. */
export function parseVersion(text: string): string | undefined {
  return /(\d+\.\d+\.\d+)/.exec(text)?.[1];
}

/** Whether a version is in a range such as `>=22` or `^3.216.0`, the two forms that this package's package.json uses. */
export function satisfies(version: string, range: string): boolean {
  const [, sign, least = ""] = /^(>=|\^)(.+)$/.exec(range) ?? [];
  const [is, wanted] = [numbers(version), numbers(least)];
  if (sign === "^" && is[0] !== wanted[0]) return false;
  const index = wanted.findIndex((number, at) => number !== is[at]);
  return index < 0 || (is[index] ?? 0) > (wanted[index] ?? 0);
}

function numbers(version: string): readonly number[] {
  const [major = 0, minor = 0, patch = 0] = version.replace(/^v/, "").split(/[.+-]/).map(Number);
  return [major, minor, patch];
}

/**
 * Why this package does not run on a Node, in one line; undefined if it does.
 * @param needed the range of Node versions in package.json
 */
export function unfitNode(
  node: { readonly version: string; readonly path: string },
  needed: string,
): string | undefined {
  if (satisfies(node.version, needed)) return undefined;
  return `Node.js ${needed} is needed, and ${node.path} is ${node.version}: install one, and put it first in the PATH`;
}
