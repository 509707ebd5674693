/** The state after a write with an unknown result. */
export function asIncomplete<S extends object>(state: S): S & { readonly __incomplete: true } {
  return { ...state, __incomplete: true };
}

/** A state that was read again: the write that was incomplete before still is. */
export function keepIncomplete<S extends object>(state: S, before: { readonly __incomplete?: boolean }): S {
  return before.__incomplete === true ? asIncomplete(state) : state;
}
