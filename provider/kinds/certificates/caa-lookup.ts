import type { ResolveCaa } from "../../certificates/authorities.js";

/** Looks up CAA records. Finds none until the composition root sets a resolver. */
export const caaLookup = (): ResolveCaa => () => Promise.resolve([]);
