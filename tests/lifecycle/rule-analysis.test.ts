import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { Driven } from "./harness.js";

const phase = "http_request_firewall_custom";
const admin = { action: "block", expression: 'starts_with(http.request.uri.path, "/admin")', ref: "admin" };
const users = { action: "block", expression: 'http.request.uri.path eq "/admin/users"', ref: "users" };

/** The service takes rules that can never run, so nobody else tells. */
describe("what rules mean together", () => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  beforeEach(async () => {
    emulator = await startEmulator();
    service = new Service(emulator);
    zoneId = await service.zone();
  });
  afterEach(() => emulator.close());

  test("is told in the preview of a ruleset that is created or whose rules change, and not again", async () => {
    const resource = new Driven("PhaseEntrypoint", service);
    const inputs = (...rules: object[]) => ({ zoneId, phase, rules });
    const told = async (...rules: object[]) => (await resource.preview(inputs(...rules))).warnings;
    const covered = [expect.stringMatching(/^rules\[1\]: it is never reached: before it, "admin" \(block\)/)];
    expect(await told(admin, users)).toEqual(covered);
    await resource.up(inputs(admin, users));
    expect(await told(admin, users)).toEqual([]);
    expect(await told(admin, { ...users, action: "log" })).toEqual(covered);
    expect(await told(users, admin)).toEqual([]);
  });
});
