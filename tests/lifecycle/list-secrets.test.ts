import type { ListState } from "../../provider/kinds/lists/description.js";
import type { Json } from "../../core/model/json.js";
import { unwrapSecrets } from "../../core/model/secret.js";
import { IS_PLUGIN } from "./front-ends.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";
import { clear, secret } from "./secrets-apart.js";

test("a secret comment stays hidden where the items are ignored", async () => {
  const { service } = await startService();
  const hidden = "handed-over-by-Zorro-9731";
  const list = new ManagedResource<ListState>("RulesList", service, "urn:office");
  const office = { accountId: await service.account(), name: "office", kind: "ip" };
  await list.up({ ...office, items: [{ value: "10.0.0.0", comment: secret(hidden) }, "10.0.0.1"] });
  const stored = list.stored?.inputs.items as Json | undefined;
  // The engine passes the items of the state, to the dynamic provider without their secrets.
  const kept = { ...office, items: IS_PLUGIN ? stored : unwrapSecrets(stored) };
  await list.settled(kept);
  const described = { ...kept, description: "Ours" };
  await list.up(described);
  expect(list.stored?.outputs).toMatchObject({ description: "Ours", items: { "10.0.0.1": "" } });
  expect(JSON.stringify(clear(list.stored))).not.toContain(hidden);
  await list.settled(described);
});
