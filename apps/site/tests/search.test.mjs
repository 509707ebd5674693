import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { RANKING } from "../source/search.mjs";
import { Site } from "./site.mjs";

/** What somebody looks for who does not know the words of the pages, and the pages that may come first. */
const QUERIES = {
  terraform: ["generate"],
  install: ["getting-started"],
  "skip rule": ["writing-rules", "phase-entrypoint"],
  exception: ["phase-entrypoint"],
  "rate limit": ["writing-rules", "examples/zone-security", "tutorial"],
  onConflict: ["ownership"],
  "error code": ["errors"],
  playground: ["playground"],
  "getting started": ["tutorial", "getting-started"],
  python: ["getting-started", "examples/languages"],
  "managed rules": ["managed-rules"],
  migration: ["migration"],
  certificate: ["certificates"],
  fleet: ["fleet"],
  "many zones": ["fleet"],
  invariants: ["invariants"],
  test: ["testing"],
  "github actions": ["ci", "pull-requests"],
  gitlab: ["ci", "pull-requests"],
  "pull request": ["pull-requests"],
  pipeline: ["ci"],
  emulator: ["emulator"],
  token: ["doctor", "getting-started", "ci", "configuration"],
  permissions: ["doctor"],
  import: ["generate"],
  drift: ["drift"],
  rollback: ["fleet", "versions"],
  restore: ["versions"],
  lists: ["lists"],
  "bulk redirect": ["examples/bulk-redirects"],
  redirect: ["examples/bulk-redirects", "writing-rules"],
  PhaseEntrypoint: ["phase-entrypoint", "reference/resources/phaseentrypoint"],
  RulesetRule: ["ruleset-rule", "reference/resources/rulesetrule"],
  "shared entry point": ["ownership", "examples/shared-entrypoint"],
  vscode: ["editor"],
  "language server": ["editor"],
  "exit code": ["commands"],
  commands: ["commands"],
  settings: ["configuration"],
  upgrade: ["compatibility"],
  simulator: ["testing"],
  "replay logs": ["replay"],
  doctor: ["doctor"],
  "pulumi cloudflare": ["ownership"],
  dashboard: ["ownership"],
  neovim: ["editor"],
};

let site;
before(async () => {
  site = await Site.open();
});
after(() => site?.close());

/** The addresses of the first pages that the built index has for each query, ranked as the page ranks them. */
async function search(queries) {
  const { page } = await site.page("/");
  return page.evaluate(
    async (words, ranking) => {
      const index = await import("/pagefind/pagefind.js");
      await index.options({ ranking });
      const found = {};
      for (const query of words) {
        const { results } = await index.search(query);
        const first = await Promise.all(results.slice(0, 3).map((result) => result.data()));
        found[query] = first.map(({ url }) => url.slice(1, -1));
      }
      return found;
    },
    queries,
    RANKING,
  );
}

test("the page that answers a query comes first", async () => {
  const found = await search(Object.keys(QUERIES));
  const wrong = Object.entries(QUERIES).flatMap(([query, pages]) =>
    pages.includes(found[query][0])
      ? []
      : [`"${query}" finds ${found[query].join(", ")}, and not ${pages.join(" or ")}`],
  );
  assert.deepEqual(wrong, []);
});
