import { labelsOf } from "../sidebar.mjs";

/**
 * Pages that contain every word, or are for those who change the package, so that the search would show them before those that
 * explain it.
 */
const UNSEARCHED = /^changelog$|^reference\/api\/|^decisions/;

export const isSearched = (slug) => !UNSEARCHED.test(slug);

/** How much words count in pages that apply what other pages explain, or list names; 1 elsewhere. */
const WEIGHTS = [
  [/^reference\/types$/, 0.2],
  [/^examples\//, 0.3],
  [/^(architecture|contributing|speed|client)$/, 0.4],
  [/^reference\/|^(report|findings|emulator)$/, 0.5],
  [/^errors$/, 0.7],
];

const HEADING_WEIGHTS = [7, 6, 5, 4, 3, 2];

/** Tells the search how much the words of a page count, and what the sidebar calls it. */
export function forSearch(html, slug) {
  const [, weight = 1] = WEIGHTS.find(([pages]) => pages.test(slug)) ?? [];
  const labels = labelsOf(slug).join(", ");
  const about = labels === "" ? "" : ` data-pagefind-meta="guide:${labels.replaceAll(":", "")}"`;
  const weighed =
    weight === 1
      ? html
      : html.replaceAll(
          /<h([1-6])(?=[ >])/g,
          (tag, level) => `${tag} ${weightOf(HEADING_WEIGHTS[level - 1] * weight)}`,
        );
  return weighed.replace(/<main(?= )/, `<main ${weight === 1 ? "" : weightOf(weight)}${about}`);
}

const weightOf = (weight) => `data-pagefind-weight="${weight}"`;

/** What the sidebar calls a page counts a little more than its title. */
export const RANKING = {
  pageLength: 0.1,
  termFrequency: 0.1,
  termSaturation: 2,
  termSimilarity: 9,
  metaWeights: { title: 5, guide: 6 },
};
