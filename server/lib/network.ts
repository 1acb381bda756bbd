// Takes the address of a client; gives the network that counts as one client: an IPv4 address by itself, of IPv6 the /64
// that a single subscriber has, or each of its 2^64 addresses would have an allowance of its own.
import { isIPv6 } from "node:net";

export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/iu.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
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
