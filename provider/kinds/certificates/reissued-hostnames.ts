/** IDs of hostnames whose certificate this run reissues: a resource that waits for such a certificate must wait again. */
export const reissuedHostnames = (): Set<string> => new Set();
