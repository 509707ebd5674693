import type { Bytes } from "../../language/value.js";

/** A matching string, none, or that the search gave up. */
export type FoundText = { readonly kind: "text"; readonly text: Bytes } | { readonly kind: "none" | "unknown" };

export const NONE: FoundText = { kind: "none" };
export const GIVEN_UP: FoundText = { kind: "unknown" };
