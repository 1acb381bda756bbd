// Tells addresses of the internet from those of private networks, of this machine and of a cloud's metadata service, so that nobody
// has the service fetch from there. Takes networks that are allowed all the same. Looks nothing up itself.
import { BlockList, isIP } from "node:net";

export interface AddressRule {
  /** Over the internet, without encryption: only where the network was named. */
  allows(address: string, protocol: "http:" | "https:"): boolean;
  /** No network is named: only the internet can be reached. */
  readonly isStrict: boolean;
}

/** Everything that IANA lists as not globally reachable, multicast included. */
const closedV4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

/** Within 2000::/3; what lies outside of it is closed altogether: addresses that stand for one of IPv4 among them. */
const closedV6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const;

const closed = new BlockList();
for (const [network, bits] of closedV4) closed.addSubnet(network, bits, "ipv4");
for (const [network, bits] of closedV6) closed.addSubnet(network, bits, "ipv6");
const global6 = new BlockList();
global6.addSubnet("2000::", 3, "ipv6");

export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, "ipv4");
  return family === 6 && global6.check(address, "ipv6") && !closed.check(address, "ipv6");
}

/** `10.0.0.0/8`, `127.0.0.1`, `fd00::/8`. Undefined where one of them is no network. */
export function addressRule(networks: readonly string[]): AddressRule | undefined {
  const allowed = new BlockList();
  for (const network of networks) {
    const [address = "", bits, ...more] = network.split("/");
    const family = isIP(address);
    const most = family === 4 ? 32 : 128;
    if (family === 0 || more.length > 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
      return undefined;
    allowed.addSubnet(address, bits === undefined ? most : Number(bits), family === 4 ? "ipv4" : "ipv6");
  }
  return {
    allows: (address, protocol) => {
      const family = isIP(address);
      if (family === 0) return false;
      return (
        allowed.check(address, family === 4 ? "ipv4" : "ipv6") || (protocol === "https:" && isPublicAddress(address))
      );
    },
    isStrict: networks.length === 0,
  };
}

export const publicOnly: AddressRule = {
  allows: (address, protocol) => protocol === "https:" && isPublicAddress(address),
  isStrict: true,
};
