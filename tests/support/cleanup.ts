/** What the running test has left to end, and what the whole file has. */
const ofTest: (() => unknown)[] = [];
const ofFile: (() => unknown)[] = [];
let isTestRunning = false;

beforeEach(() => {
  isTestRunning = true;
});
afterEach(async () => {
  isTestRunning = false;
  await endAll(ofTest);
});
afterAll(() => endAll(ofFile));

/** Ends something after the running test; after all tests of the file if it was started for all of them. */
export function whenDone(end: () => unknown): void {
  (isTestRunning ? ofTest : ofFile).push(end);
}

async function endAll(ends: (() => unknown)[]): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
