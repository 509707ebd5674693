import type { WafGroup, Package, WafRule } from "./model.js";

/** The core rule set, which works by score, and Cloudflare's managed rules. */
export const CORE_PACKAGE = "a25a9a7e9c00afc1fb2e0245519d725b";
export const CLOUDFLARE_PACKAGE = "1e334934fd7ae32ad705667f8c1057aa";

const CORE_GROUPS = ["OWASP Bad Robots", "OWASP Generic Attacks", "OWASP SQL Injection Attacks", "OWASP XSS Attacks"];
const CLOUDFLARE_GROUPS = ["Cloudflare Drupal", "Cloudflare PHP", "Cloudflare Specials", "Cloudflare WordPress"];

/** The packages of a zone with default settings. */
export function defaultPackages(): Package[] {
  return [
    {
      id: CORE_PACKAGE,
      name: "OWASP ModSecurity Core Rule Set",
      description: "Covers OWASP Top 10 vulnerabilities, and more.",
      detection_mode: "anomaly",
      status: "active",
      sensitivity: "high",
      action_mode: "challenge",
    },
    {
      id: CLOUDFLARE_PACKAGE,
      name: "CloudFlare",
      description: "Covers vulnerabilities of popular applications.",
      detection_mode: "traditional",
      status: "active",
    },
  ];
}

export function defaultGroups(): WafGroup[] {
  const make = (packageId: string, prefix: string) => (name: string, index: number) => ({
    id: `${prefix}${String(index).padStart(31, "0")}`,
    package_id: packageId,
    name,
    description: `Rules of the group ${name}.`,
    mode: "on",
    default_mode: "on",
  });
  return [...CORE_GROUPS.map(make(CORE_PACKAGE, "c")), ...CLOUDFLARE_GROUPS.map(make(CLOUDFLARE_PACKAGE, "d"))];
}

/** Three rules of each group. */
export function defaultRules(): WafRule[] {
  return defaultGroups().flatMap((group, place) =>
    [0, 1, 2].map((index) => {
      const anomaly = group.package_id === CORE_PACKAGE;
      const number = place * 10 + index;
      return {
        id: anomaly ? String(950_000 + number) : String(100_000 + number),
        package_id: group.package_id,
        group: { id: group.id, name: group.name },
        description: `${group.name}, rule ${String(index + 1)}`,
        priority: String(index + 1),
        mode: anomaly ? "on" : "default",
        default_mode: anomaly ? "on" : "block",
        allowed_modes: anomaly ? ["on", "off"] : ["default", "disable", "simulate", "block", "challenge"],
      };
    }),
  );
}
