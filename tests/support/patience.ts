import { TIMES } from "./fuzzing.js";

/** Far more than any test takes on two cores, where one operation of the engine takes about two seconds. */
jest.setTimeout(240_000 * TIMES);

/** Polls until the condition is true, limited by the timeout of the test. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 50));
}
