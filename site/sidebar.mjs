/** The pages of the site, by what a reader wants. Each page is named by its address; source/pages.mjs says where it comes from. */
export const GROUPS = [
  {
    label: "Start here",
    pages: [
      "overview",
      "tutorial",
      "getting-started",
      "examples/quickstart",
      "from-idea-to-blocking",
      "examples/languages",
    ],
  },
  {
    label: "Write rules",
    pages: [
      "writing-rules",
      "editor",
      "phase-entrypoint",
      "ruleset",
      "ruleset-rule",
      "lists",
      "rollout",
      "lookups",
      "language",
      "plugin",
      "managed-rules",
      "examples/managed-rules",
      "examples/bulk-redirects",
      "examples/zone-security",
    ],
  },
  {
    label: "Take over what exists",
    pages: [
      "ownership",
      "generate",
      "migration",
      "examples/shared-entrypoint",
      "examples/shared-by-teams",
      "examples/waf-migration",
      "examples/waf-migration-fleet",
    ],
  },
  {
    label: "Know what a change does",
    pages: [
      "analysis",
      "replay",
      "examples/replay-on-spark",
      "invariants",
      "invariants-gallery",
      "testing",
      "pull-requests",
      "drift",
      "fleet",
      "examples/fleet-temporal",
      "report",
      "versions",
      "examples/dry-run",
      "examples/go-back",
    ],
  },
  {
    label: "Certificates",
    pages: ["certificates", "examples/custom-hostname", "examples/move-hostnames"],
  },
  { label: "When something is wrong", pages: ["errors", "findings", "doctor", "compatibility"] },
  {
    label: "Reference",
    pages: [
      "commands",
      "configuration",
      "reference/resources/*",
      "reference/functions",
      "reference/types",
      "reference/api/*",
    ],
  },
  {
    label: "Underneath",
    pages: ["emulator", "client", "speed", "architecture", "contributing", "decisions", "decisions/*", "changelog"],
  },
];

/** The sidebar in Starlight's form. Pages without a group come last. Throws for a group with a page that does not exist. */
export function sidebarOf(slugs) {
  const left = new Set(slugs);
  const take = (pattern) => {
    const isFolder = pattern.endsWith("/*");
    const found = slugs.filter((slug) => (isFolder ? slug.startsWith(pattern.slice(0, -1)) : slug === pattern));
    if (found.length === 0) throw new Error(`site/sidebar.mjs names ${pattern}, which is no page`);
    for (const slug of found) left.delete(slug);
    return isFolder && found.length > 12
      ? [{ label: labelOfFolder(pattern), collapsed: true, items: found.map((slug) => ({ slug })) }]
      : found.map((slug) => ({ slug }));
  };
  const groups = GROUPS.map(({ label, pages }) => ({ label, items: pages.flatMap(take) }));
  const others = [...left].map((slug) => ({ slug }));
  return [
    { label: "Playground", link: "/playground/" },
    ...groups,
    ...(others.length === 0 ? [] : [{ label: "More", items: others }]),
  ];
}

function labelOfFolder(pattern) {
  const name = pattern.split("/").at(-2);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
