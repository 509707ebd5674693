/**
 * The pages of the site, by what a reader wants. Each page is named by its address; source/pages.mjs says where it comes from. A
 * guide can have a label of its own, and be a section of a page that is elsewhere.
 */
export const GROUPS = [
  {
    label: "Start",
    pages: ["tutorial", { label: "Install", page: "getting-started" }],
  },
  {
    label: "Guides",
    pages: [
      { label: "Take over (import) what exists", page: "generate" },
      { label: "From Terraform", page: "generate", section: "from-terraform-or-another-tools-state" },
      { label: "From @pulumi/cloudflare", page: "ownership", section: "moving-from-pulumicloudflare" },
      "writing-rules",
      { label: "Share an entry point", page: "ownership", section: "sharing-a-ruleset-ownership" },
      { label: "Roll out a rule in steps", page: "from-idea-to-blocking" },
      "analysis",
      "replay",
      "testing",
      "invariants",
      "invariants-gallery",
      "pull-requests",
      { label: "In CI: GitHub Actions and GitLab", page: "ci" },
      "drift",
      "report",
      "managed-rules",
      "versions",
      { label: "Many zones and accounts", page: "fleet" },
      { label: "Rollback of a fleet", page: "fleet", section: "stop-and-rollback" },
      { label: "Migration day", page: "migration", section: "step-by-step" },
      { label: "The certificate change", page: "certificates", section: "the-chain-change" },
      "editor",
      "doctor",
    ],
  },
  {
    label: "Resources",
    pages: [
      "phase-entrypoint",
      { label: "Exceptions: skip rules", page: "phase-entrypoint", section: "exceptions-skip-rules" },
      "ruleset",
      "ruleset-rule",
      "lists",
      "ownership",
      "migration",
      "certificates",
      "rollout",
      "lookups",
      "plugin",
    ],
  },
  {
    label: "Reference",
    pages: [
      { label: "Commands and exit codes", page: "commands" },
      { label: "Configuration: all settings", page: "configuration" },
      "findings",
      { label: "An error, by its code", page: "errors" },
      "language",
      "emulator",
      "verify",
      "client",
      "speed",
      { label: "Compatibility and upgrades", page: "compatibility" },
      "changelog",
      "reference/resources/*",
      "reference/functions",
      "reference/types",
      "reference/api/*",
    ],
  },
  {
    label: "Examples",
    pages: ["examples/*"],
  },
];

/** What the sidebar calls a page, and sections of it: what readers look for who do not know its title. */
export function labelsOf(slug) {
  return GROUPS.flatMap(({ pages }) => pages.flatMap(({ label, page }) => (page === slug ? [label] : [])));
}

/** Pages that the site has and the sidebar does not: the start page says it, or they are for maintainers. */
const NOT_LISTED = new Set(["overview", "architecture", "contributing", "decisions"]);

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
  const others = [...left].filter((slug) => !NOT_LISTED.has(slug)).map((slug) => ({ slug }));
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
