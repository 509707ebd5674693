/** Ids of hostnames whose certificate this run asks for anew: a resource that waits for it must wait again. */
export const reissued = (): Set<string> => new Set();
