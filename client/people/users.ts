// Logging in and out, and one's own password.
import type { TokenPair } from "../transport/token-keeper.ts";
import type { Answer, Call } from "../transport/transport.ts";

/** The user of a login, as strings of the wire; never with secrets. */
export interface UserRecord {
  readonly id: string;
  readonly user_name: string;
  readonly name?: string | null;
  readonly first_name?: string | null;
  readonly last_name?: string | null;
  readonly title?: string | null;
  readonly time_zone?: string | null;
  readonly locale?: string | null;
  readonly hour_format?: string | null;
  readonly theme?: string | null;
  /** Codes. */
  readonly roles?: readonly string[];
  readonly is_administrator?: "0" | "1";
  readonly last_login?: string | null;
}

export interface SessionBody {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number | string;
  readonly data?: { readonly users?: UserRecord };
}

export function tokenPair(body: SessionBody): TokenPair {
  return {
    accessToken: body.access_token,
    refreshToken: body.refresh_token,
    expiresIn: Number(body.expires_in),
  };
}

/** `otp`: the code of the second step, where the service asked for one (a WireFailure of code `otp_required`). */
export const logIn = (call: Call, userName: string, password: string, otp?: string): Promise<Answer<SessionBody>> =>
  call<SessionBody>("access_controls/users/login", {
    anonymous: true,
    body: { data: { users: { user_name: userName, user_password: password, ...(otp === undefined ? {} : { otp }) } } },
  });

/** `key`: the same for the same token until it is answered. */
export const refreshSession = (call: Call, refreshToken: string, key: string): Promise<Answer<SessionBody>> =>
  call<SessionBody>("access_controls/users/access_token", {
    anonymous: true,
    body: { refresh_token: refreshToken },
    key,
  });

export const logOut = (call: Call): Promise<Answer<unknown>> => call("access_controls/users/logout", { body: {} });

export type Profile = PreferenceOptions & { readonly data: { readonly users: UserRecord } };

export const readProfile = (call: Call, signal?: AbortSignal): Promise<Answer<Profile>> =>
  call<Profile>("access_controls/users/profile", { signal });

export const saveProfile = (
  call: Call,
  users: Readonly<Record<string, string>>,
): Promise<Answer<{ readonly data: { readonly users: UserRecord } }>> =>
  call("access_controls/users/profile", { body: { data: { users } } });

export interface PreferenceOption {
  readonly text: string;
  readonly value: string;
}

/** What can be chosen, as signup and profile offer it. */
export interface PreferenceOptions {
  readonly timezones: Readonly<Record<string, string>>;
  readonly locales: readonly PreferenceOption[];
  readonly hour_format: Readonly<Record<string, string>>;
  readonly themes: Readonly<Record<string, readonly PreferenceOption[]>>;
}

export interface PasswordChange {
  readonly old_password: string;
  readonly user_password: string;
  readonly confirm_password: string;
}

export const changePassword = (call: Call, change: PasswordChange): Promise<Answer<unknown>> =>
  call("access_controls/users/change_password", { body: { data: { users: change } } });
