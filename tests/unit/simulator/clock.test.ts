import { FIREWALL, get, rule, run, zone } from "./support";

const END = Date.UTC(2027, 0, 1);
const UNTIL = zone(
  FIREWALL,
  rule("block", "block", { expression: `http.request.timestamp.sec lt ${String(END / 1000)}` }),
);

test("a request without a time is received at the time of the clock", () => {
  expect(run([UNTIL], { clock: END - 1 }).outcome).toBe("blocked");
  expect(run([UNTIL], { clock: END }).outcome).toBe("allowed");
  expect(run([UNTIL], { clock: () => END }).outcome).toBe("allowed");
});

test("a request's own time decides", () => {
  const request = get("https://shop.example.com/", { timestamp: END / 1000 - 1 });
  expect(run([UNTIL], { clock: END, request }).outcome).toBe("blocked");
});

test("without both it is not known", () => {
  expect(run([UNTIL]).outcome).toBe("unknown");
});
