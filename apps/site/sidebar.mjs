/**
 * The pages of the site, by what a reader wants. Each page is named by its address; source/pages.mjs says where it comes from. A
 * guide can have a label of its own, and be a section of a page that is elsewhere.
 */
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
    label: "Guides",
    pages: [
      { label: "The first ruleset", page: "tutorial", section: "the-first-ruleset" },
      { label: "Take over (import) what exists", page: "generate" },
      { label: "From Terraform", page: "generate", section: "from-terraform-or-another-tools-state" },
      { label: "From @pulumi/cloudflare", page: "ownership", section: "moving-from-pulumicloudflare" },
      { label: "Share an entry point", page: "ownership", section: "sharing-a-ruleset-ownership" },
      "testing",
      "invariants",
      "pull-requests",
      { label: "In CI: GitHub Actions and GitLab", page: "ci" },
      { label: "Many zones and accounts", page: "fleet" },
      { label: "Migration day", page: "migration", section: "step-by-step" },
      { label: "The certificate change", page: "certificates", section: "the-chain-change" },
      { label: "An error, by its code", page: "errors" },
    ],
  },
  {
    label: "Write rules",
    pages: [
      "writing-rules",
      "editor",
      "phase-entrypoint",
      { label: "Exceptions: skip rules", page: "phase-entrypoint", section: "exceptions-skip-rules" },
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
    label: "Ownership and migration",
    pages: [
      "ownership",
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
      "invariants-gallery",
      "drift",
      "examples/fleet-temporal",
      "report",
      { label: "Versions: compare, go back, restore", page: "versions" },
      "examples/dry-run",
      "examples/go-back",
    ],
  },
  {
    label: "Certificates",
    pages: ["certificates", "examples/custom-hostname", "examples/move-hostnames"],
  },
  {
    label: "When something is wrong",
    pages: [
      { label: "Roll back a fleet", page: "fleet", section: "how-do-i-stop-and-how-do-i-roll-back" },
      "findings",
      "doctor",
      { label: "Compatibility and upgrades", page: "compatibility" },
    ],
  },
  {
    label: "Reference",
    pages: [
      { label: "Commands and exit codes", page: "commands" },
      { label: "Configuration: all settings", page: "configuration" },
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

/** What the sidebar calls a page, and sections of it: what readers look for who do not know its title. */
export function labelsOf(slug) {
  return GROUPS.flatMap(({ pages }) => pages.flatMap(({ label, page }) => (page === slug ? [label] : [])));
}

/** The sidebar in Starlight's form. Pages without a group come last. Throws for a group with a page that does not exist. */
export function sidebarOf(slugs) {
  const left = new Set(slugs);
  const take = (pattern) => {
    const isFolder = pattern.endsWith("/*");
    const found = slugs.filter((slug) => (isFolder ? slug.startsWith(pattern.slice(0, -1)) : slug === pattern));
    if (found.length === 0) throw new Error(`apps/site/sidebar.mjs names ${pattern}, which is no page`);
    for (const slug of found) left.delete(slug);
    return isFolder && found.length > 12
      ? [{ label: labelOfFolder(pattern), collapsed: true, items: found.map((slug) => ({ slug })) }]
      : found.map((slug) => ({ slug }));
  };
  const itemsOf = (entry) => {
    if (typeof entry === "string") return take(entry);
    const { label, page, section } = entry;
    if (section === undefined) return take(page).map((item) => ({ ...item, label }));
    if (!slugs.includes(page)) throw new Error(`apps/site/sidebar.mjs names ${page}, which is no page`);
    return [{ label, link: `/${page}/#${section}` }];
  };
  const groups = GROUPS.map(({ label, pages }) => ({ label, items: pages.flatMap(itemsOf) }));
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
