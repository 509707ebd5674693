/** What is known about a list when somebody asks for a thing of it. */
interface Spending {
  /** Number of pages; infinite while the service has not told it. */
  readonly pages: number;
  /** Pages read of the current list. */
  readonly pagesRead: number;
  /** Callers whose thing has neither been found nor requested. */
  readonly waiting: number;
  /** Things found on pages of the current list, each of which saved a request, less the number of pages. */
  readonly saved: number;
  /** Things requested one by one since the list was last complete. */
  readonly requested: number;
}

/**
 * Whether to read the next page instead of single things. Nobody knows which things will be asked for next, so a page is
 * read if it is paid for, in requests: the pages that are left contain all things that are waited for, so they may cost
 * one each, and what earlier pages saved. Otherwise one page is read speculatively, once `worthwhile` things are waited
 * for or were requested, and the next when that one has paid for itself. So the total never exceeds one request for each
 * thing by more than one, unless one that is waited for does not exist.
 */
export function shouldReadPage({ pages, pagesRead, waiting, saved, requested }: Spending, worthwhile: number): boolean {
  if (pages - pagesRead <= waiting + saved) return true;
  return saved >= 0 && waiting + requested >= worthwhile;
}
