// The mail domains whose owners may join an organization: as administrators write them, and as they are compared. Pure.
import { domainToASCII } from "node:url";

/** One a line, or separated by commas or spaces; `@` before one does not count. */
export const domainsOf = (text: string | null | undefined): string[] =>
  (text ?? "")
    .split(/[\s,;]+/)
    .map((domain) => domain.replace(/^@/, "").toLowerCase())
    .filter(Boolean);

export const isMailDomain = (domain: string): boolean =>
  /^(?=.{4,253}$)([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(domainToASCII(domain));

export function isOfDomain(email: string, domains: readonly string[]): boolean {
  const domain = domainToASCII(email.split("@").at(-1)?.toLowerCase() ?? "");
  return domain !== "" && domains.some((allowed) => domainToASCII(allowed) === domain);
}
