import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { networkOf } from "./network.ts";

describe("what counts as one client", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:207", "192.0.2.7"],
    ["0:0:0:0:0:ffff:c000:0207", "192.0.2.7"],
    ["::ffff:0:c000:207", "0:0:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::", "2001:db8:1:2::/64"],
    ["2001:0db8:0001::9", "2001:db8:1:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["not an address", "not an address"],
  ])("%s is of %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
  test("however an IPv6 address goes on after its first half, it is the same client", () => {
    const half = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(half, half, half, (network, one, other) => {
        const hex = (groups: readonly number[]) => groups.map((group) => group.toString(16)).join(":");
        expect(networkOf(`${hex(network)}:${hex(one)}`)).toBe(networkOf(`${hex(network)}:${hex(other)}`));
        expect(networkOf(`${hex(network)}::`)).toBe(`${hex(network)}::/64`);
      }),
    );
  });
});
