// The caller's own organisation, as far as every screen may need it.
import type { Call } from "./transport.ts";

export interface OwnOrganization {
  /** The code of its currency; null where it has none. */
  readonly currency: string | null;
  /** Without a mail server messages are files in a folder of the service. */
  readonly mailsAreFiles: boolean;
}

interface InfoBody {
  readonly data: { readonly organizations: { readonly currency?: string | null; readonly mails_are_files?: string } };
}

export async function readOwnOrganization(call: Call, signal?: AbortSignal): Promise<OwnOrganization> {
  const { organizations } = (await call<InfoBody>("access_controls/organizations/info", { signal })).data;
  return { currency: organizations.currency ?? null, mailsAreFiles: organizations.mails_are_files === "1" };
}
