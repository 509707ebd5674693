/** Position of a rule: exactly one of the three. Indexes start at 1; an empty ID means first (`before`) or last (`after`). */
export type Position = { readonly before: string } | { readonly after: string } | { readonly index: number };
