import { EngineStack } from "./stack.js";

/** Two stacks that manage the same zone, at the service of the first. */
export async function startTwoStacks(): Promise<{ a: EngineStack; b: EngineStack; zoneId: string }> {
  const a = await EngineStack.start();
  const b = await EngineStack.start({ config: { "rulesets:baseUrl": { value: a.emulator.url } } });
  return { a, b, zoneId: await a.service.zone() };
}
