/** One operation of the engine takes about two seconds on two cores. */
jest.setTimeout(240_000);
