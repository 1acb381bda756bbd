// Whose service this is, as a picture: where the organisation's logo is, for everybody who belongs to it.
import type { Call } from "./transport.ts";

export interface OrganizationMark {
  readonly id: string;
  readonly name: string;
  /** Changes with the picture; null where there is none. */
  readonly logo: string | null;
}

export async function readOrganizationMark(call: Call, signal?: AbortSignal): Promise<OrganizationMark> {
  const body = await call<{ data: { organizations: { id: string; name: string; logo: unknown } } }>(
    "access_controls/organizations/info",
    { signal },
  );
  const { id, name, logo } = body.data.organizations;
  return { id, name, logo: logo === null || logo === undefined || logo === "" ? null : JSON.stringify(logo) };
}
