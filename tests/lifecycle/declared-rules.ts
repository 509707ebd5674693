import type { Service } from "../support/emulator.js";

export const phase = "http_request_firewall_custom";

/** Resources that declare rules of one entry point by name, and what is there. */
export function declaredRules(
  context: () => { readonly service?: Service; readonly zoneId: string },
  contentOf: (name: string) => object = (name) => ({ description: name }),
) {
  const listed = (name: string, more: object = {}) => ({
    ref: name,
    action: "block",
    ...contentOf(name),
    expression: `http.host eq "${name}"`,
    ...more,
  });
  const entrypoint = async () => {
    const { service, zoneId } = context();
    return (await service?.entrypoint(zoneId, phase)) ?? { id: "", rules: [] };
  };
  const there = async () => (await entrypoint()).rules;
  const ruleOf = async (name: string) => (await there()).find(({ ref }) => ref === name);
  return {
    listed,
    /** A `RulesetRule`. */
    single: (name: string, more: object = {}) => ({ zoneId: context().zoneId, phase, ...listed(name), ...more }),
    /** A shared list. */
    list: (names: readonly (string | object)[], more: object = {}) => ({
      kind: "PhaseEntrypoint",
      zoneId: context().zoneId,
      phase,
      ownership: "shared",
      rules: names.map((rule) => (typeof rule === "string" ? listed(rule) : rule)),
      ...more,
    }),
    entrypoint,
    there,
    refs: async () => (await there()).map(({ ref }) => ref).sort(),
    ruleOf,
    idOf: async (name: string) => (await ruleOf(name))?.id,
  };
}
