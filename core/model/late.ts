/**
 * A module that is loaded when it is first used: `late<typeof import("./x.js")>(() => require("./x.js"))`. A provider process
 * starts in a fifth of the time that it would take with everything, and most runs use a part.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- whoever calls it names the type
export function late<Module extends object>(load: () => unknown): () => Module {
  let loaded: Module | undefined;
  return () => (loaded ??= load() as Module);
}
