import { isIP } from "node:net";
import { formatIp, networkOf, parseIp, parseIpRange, prefixOf, type IpAddress } from "../../../core/language/ip";
import { fc, runs } from "../../support/properties.js";

const address: fc.Arbitrary<IpAddress> = fc.oneof(
  fc.nat({ max: 2 ** 32 - 1 }).map((value) => ({ version: 4, value }) as const),
  fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((value) => ({ version: 6, value }) as const),
  fc.constantFrom(0n, 1n, 0xffff_0000_0000_0000n, 1n << 127n).map((value) => ({ version: 6, value }) as const),
);

describe("addresses", () => {
  it("are valid when Node accepts them", () => {
    const text = fc.oneof(fc.ipV4(), fc.ipV6(), fc.stringMatching(/^[0-9a-f:.]{1,18}$/));
    fc.assert(
      fc.property(text, (one) => {
        expect(parseIp(one)?.version ?? 0).toBe(isIP(one));
      }),
      { numRuns: runs(700) },
    );
  });

  it("survive a round trip through text", () => {
    fc.assert(
      fc.property(address, (one) => {
        expect(parseIp(formatIp(one))).toEqual(one);
      }),
    );
  });

  it.each([
    ["2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"],
    ["2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"],
    ["0:0:0:0:0:0:0:0", "::"],
    ["1:0:0:0:0:0:0:0", "1::"],
    ["::FFFF:192.0.2.1", "::ffff:c000:201"],
  ])("%s is written as %s", (text, short) => {
    const parsed = parseIp(text);
    expect(parsed && formatIp(parsed)).toBe(short);
  });

  it("are contained in their networks, which have a prefix length", () => {
    fc.assert(
      fc.property(address, fc.nat({ max: 128 }), (one, length) => {
        const bits = Math.min(length, one.version === 4 ? 32 : 128);
        const range = networkOf(one, bits);
        expect(range.first.value <= one.value && one.value <= range.last.value).toBe(true);
        expect(prefixOf(range)).toBe(bits);
        expect(parseIpRange(`${formatIp(range.first)}/${String(bits)}`)).toEqual({ range, prefix: bits });
      }),
    );
  });

  it("form ranges that are not networks, too", () => {
    const range = parseIpRange("10.0.0.1..10.0.0.4");
    expect("range" in range && prefixOf(range.range)).toBeUndefined();
  });
});
