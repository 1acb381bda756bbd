// The caller's own organization, as far as every screen may need it.
import type { Call } from "../transport/transport.ts";

export interface OwnOrganization {
  readonly id: string;
  readonly name: string;
  /** Changes with the picture; null where there is none. */
  readonly logo: string | null;
  /** The code of its currency; null where it has none. */
  readonly currency: string | null;
  /** Without a mail server messages are files in a folder of the service. */
  readonly mailsAreFiles: boolean;
}

interface InfoBody {
  readonly data: {
    readonly organizations: {
      readonly id: string;
      readonly name: string;
      readonly logo?: unknown;
      readonly currency?: string | null;
      readonly mails_are_files?: string;
    };
  };
}

export async function readOwnOrganization(call: Call, signal?: AbortSignal): Promise<OwnOrganization> {
  const { organizations } = (await call<InfoBody>("access_controls/organizations/info", { signal })).data;
  const { id, name, logo = null } = organizations;
  return {
    id,
    name,
    logo: logo === null || logo === "" ? null : JSON.stringify(logo),
    currency: organizations.currency ?? null,
    mailsAreFiles: organizations.mails_are_files === "1",
  };
}
