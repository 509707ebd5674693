import { ensureLanguageHost, ensurePulumi } from "../../../scripts/pulumi-cli.mjs";

/** Finds or builds the Pulumi command once, before any test runs the engine. */
export default async function setup() {
  await ensurePulumi();
  ensureLanguageHost();
}
