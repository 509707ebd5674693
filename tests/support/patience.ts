/** Far more than any test takes on two cores: one operation of the engine takes about two seconds there. */
jest.setTimeout(240_000);

/** Looks until something is so; the test's own time is the limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}
