// Logging in and out, and one's own password.
import type { TokenPair } from "./token-keeper.ts";
import type { Answer, Call } from "./transport.ts";

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

export const logIn = (call: Call, userName: string, password: string): Promise<Answer<SessionBody>> =>
  call<SessionBody>("access_controls/users/login", {
    anonymous: true,
    body: { data: { users: { user_name: userName, user_password: password } } },
  });

export const refreshSession = (call: Call, refreshToken: string): Promise<Answer<SessionBody>> =>
  call<SessionBody>("access_controls/users/access_token", { anonymous: true, body: { refresh_token: refreshToken } });

export const logOut = (call: Call): Promise<Answer<unknown>> => call("access_controls/users/logout", { body: {} });

export interface PasswordChange {
  readonly old_password: string;
  readonly user_password: string;
  readonly confirm_password: string;
}

export const changePassword = (call: Call, change: PasswordChange): Promise<Answer<unknown>> =>
  call("access_controls/users/change_password", { body: { data: { users: change } } });
