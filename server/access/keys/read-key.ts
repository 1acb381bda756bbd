// Takes an API key's row; gives what it is limited to: record types and operations, networks. What is kept and cannot be read
// opens nothing: it throws.
import { BlockList, isIPv4, isIPv6 } from "node:net";
import type { Queryable } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { storedJson } from "../../database/stored-json.ts";
import { unmapped } from "../../lib/network.ts";
import { type KeyLimits, limitsOf, limitsSchema } from "./limits.ts";

export const readLimits = (kept: string | null | undefined): KeyLimits | undefined =>
  kept == null ? undefined : limitsOf(storedJson(limitsSchema, kept, "access_controls__api_keys.limits"));

/** What a key leaves to work that was started with it; undefined: it was revoked or deleted, and its work ends with it. */
export async function limitsOfKey(
  db: Queryable,
  organizationId: string,
  keyId: string,
): Promise<{ readonly limits: KeyLimits | undefined } | undefined> {
  const key = await db.row(sql`
    select limits from access_controls__api_keys
    where organization_id = ${organizationId}::bigint and id = ${keyId}::bigint and revoked is null and deleted = 0`);
  return key && { limits: readLimits(key.limits) };
}

interface Network {
  readonly address: string;
  readonly bits: number;
  readonly family: "ipv4" | "ipv6";
}

/** `10.0.0.0/8`, `2001:db8::/32`, or one address; undefined for anything else. */
function parseNetwork(text: string): Network | undefined {
  const [sent = "", size, ...rest] = text.split("/");
  const address = unmapped(sent);
  const family = isIPv4(address) ? "ipv4" : isIPv6(address) && !address.includes("%") ? "ipv6" : undefined;
  if (family === undefined || rest.length > 0) return undefined;
  const most = family === "ipv4" ? 32 : 128;
  if (size === undefined) return { address, bits: most, family };
  if (!/^\d{1,3}$/.test(size) || Number(size) > most || address !== sent) return undefined;
  return { address, bits: Number(size), family };
}

const MOST_NETWORKS = 100;

/** Separated by spaces, commas or lines. Gives them one way of writing, or what none of them is. */
export function parseNetworks(
  text: string,
): { readonly networks: readonly string[] } | { readonly wrong: string } | { readonly most: number } {
  const parts = text.split(/[\s,;]/u).filter(Boolean);
  if (parts.length > MOST_NETWORKS) return { most: MOST_NETWORKS };
  const wrong = parts.find((part) => parseNetwork(part) === undefined);
  if (wrong !== undefined) return { wrong };
  return { networks: [...new Set(parts.map((part) => part.toLowerCase()))] };
}

export const readNetworks = (kept: string | null | undefined): readonly string[] | undefined =>
  kept == null || kept === "" ? undefined : kept.split(" ");

const lists = new WeakMap<readonly string[], BlockList>();

/** Whether the client's address is in one of the networks. */
export function isAmongNetworks(networks: readonly string[], address: string): boolean {
  let list = lists.get(networks);
  if (!list) {
    list = new BlockList();
    for (const text of networks) {
      const network = parseNetwork(text);
      if (network) list.addSubnet(network.address, network.bits, network.family);
    }
    lists.set(networks, list);
  }
  const plain = unmapped(address.split("%")[0] ?? "");
  if (isIPv4(plain)) return list.check(plain, "ipv4");
  return isIPv6(plain) && list.check(plain, "ipv6");
}
