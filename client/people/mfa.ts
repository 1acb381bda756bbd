// The second step of a login: one's own, and what an administrator can do about somebody else's.
import type { Answer, Call } from "../transport/transport.ts";

export interface MfaState {
  readonly is_on: "0" | "1";
  readonly since: string | null;
  readonly recovery_codes_left: string;
}

export async function readMfa(call: Call, signal?: AbortSignal): Promise<MfaState> {
  return (await call<{ data: { mfa: MfaState } }>("access_controls/users/mfa", { signal })).data.mfa;
}

/** What an authenticator app is given, once. */
export interface MfaSecret {
  readonly secret: string;
  readonly otpauth_url: string;
}

const post = <Body>(call: Call, operation: string, users: Readonly<Record<string, string>>): Promise<Answer<Body>> =>
  call<Body>(`access_controls/users/${operation}`, { body: { data: { users } } });

export async function beginMfa(call: Call, password: string): Promise<MfaSecret> {
  return (await post<{ data: { mfa: MfaSecret } }>(call, "begin_mfa", { user_password: password })).data.mfa;
}

interface Codes {
  readonly data: { readonly mfa: { readonly recovery_codes: readonly string[] } };
}

/** Turns it on; gives the recovery codes, once. */
export async function confirmMfa(call: Call, otp: string): Promise<readonly string[]> {
  return (await post<Codes>(call, "confirm_mfa", { otp })).data.mfa.recovery_codes;
}

export async function renewRecoveryCodes(call: Call, password: string, otp: string): Promise<readonly string[]> {
  return (await post<Codes>(call, "renew_recovery_codes", { user_password: password, otp })).data.mfa.recovery_codes;
}

export const endMfa = (call: Call, password: string, otp: string): Promise<Answer<unknown>> =>
  post(call, "end_mfa", { user_password: password, otp });

/** Ids of the users who have it on. */
export async function listMfaUsers(call: Call, signal?: AbortSignal): Promise<ReadonlySet<string>> {
  const answer = await call<{ data: { users: readonly { readonly id: string }[] } }>(
    "access_controls/users/mfa_users",
    {
      signal,
    },
  );
  return new Set(answer.data.users.map(({ id }) => id));
}

export const resetMfa = (call: Call, id: string): Promise<Answer<unknown>> =>
  call("access_controls/users/reset_mfa", { query: { id }, method: "POST" });
