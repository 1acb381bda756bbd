// Takes the address of a client; gives the network that counts as one client: an IPv4 address by itself, of IPv6 the /64
// that a single subscriber has, or each of its 2^64 addresses would have an allowance of its own.
import { isIPv6 } from "node:net";

/** An IPv4 address that is written as one of IPv6, however (`::ffff:127.0.0.1`, `::ffff:7f00:1`), as what it is. */
export function unmapped(address: string): string {
  if (!isIPv6(address) || address.includes("%")) return address;
  // The platform's one way of writing it.
  const written = new URL(`http://[${address}]`).hostname;
  const [, high, low] = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/u.exec(written) ?? [];
  if (high === undefined || low === undefined) return address;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join(".");
}

export function networkOf(sent: string): string {
  const address = unmapped(sent);
  if (!isIPv6(address)) return address;
  const [left = "", right] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const groups = left === "" ? [] : left.split(":");
  if (right !== undefined) {
    const after = right === "" ? [] : right.split(":");
    const taken = groups.length + after.length + (right.includes(".") ? 1 : 0);
    groups.push(...Array.from({ length: Math.max(0, 8 - taken) }, () => "0"), ...after);
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(":")}::/64`;
}
