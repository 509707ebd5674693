/** Where the page count of a zone is unknown, a page is read speculatively for this many waiting callers. */
const WAITING_FOR_SPECULATION = 4;
/** The same for hostnames that were requested one after the other. */
const REQUESTS_FOR_SPECULATION = 20;
/** Where it is known, a page is read speculatively once this many hostnames were requested for each page. */
const REQUESTS_PER_PAGE = 20;

/** What is known about a zone when somebody asks for a hostname of it. */
export interface Spending {
  /** Number of pages; undefined while the service has not told it. */
  readonly pages: number | undefined;
  readonly pagesRead: number;
  /** Callers whose hostname has neither been found nor requested. */
  readonly waiting: number;
  /** Hostnames found on pages, each of which saved a request, less the number of pages. */
  readonly saved: number;
  /** Hostnames requested one by one since the list was last complete. */
  readonly requested: number;
}

/**
 * Whether to read the next page. Nobody knows which hostnames will be asked for next, so a page is read if it is paid
 * for, in requests: the pages that are left contain all those that wait, so they may cost one each, and what earlier
 * pages saved, as long as so many were requested one by one that the list would have been cheaper. The total then never
 * exceeds one request for each hostname, unless one that waits turns out to be gone.
 *
 * In a zone with more pages than callers, that would never read a page, however many hostnames are wanted; nor where the
 * service does not tell the number of pages. So after a number of requests one page is read speculatively, and the next when
 * that one has paid for itself. Until it has, the total may exceed one request for each hostname by one. That cannot be
 * avoided: the callers so far may be the last, and not be on that page.
 */
export function shouldReadPage({ pages, pagesRead, waiting, saved, requested }: Spending): boolean {
  if (pages === undefined) {
    return saved >= 0 && (waiting >= WAITING_FOR_SPECULATION || requested >= REQUESTS_FOR_SPECULATION);
  }
  if (pages - pagesRead <= waiting + Math.min(saved, requested)) return true;
  return saved >= 0 && requested >= REQUESTS_PER_PAGE * pages;
}
