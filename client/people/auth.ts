// Coming in for the first time, or again: signup, the license agreement, forgotten passwords, confirmed addresses.
import type { Answer, Call } from "../transport/transport.ts";
import type { PreferenceOption as Option, PreferenceOptions, SessionBody } from "./users.ts";

export interface SignupForm extends PreferenceOptions {
  readonly currencies: readonly Option[];
  readonly signup_roles: readonly Option[];
  readonly is_multi_tenant: 0 | 1;
  readonly allow_public_signup: 0 | 1;
  readonly organization_name: string | null;
  readonly data: { readonly users: { readonly email_addresses: readonly { readonly email: string }[] } };
}

/** What leads somebody here: an invitation, or a link to one organization. */
export interface SignupOrigin {
  readonly invitation?: string | undefined;
  readonly organization_id?: string | undefined;
}

export const readSignupForm = (call: Call, origin: SignupOrigin, signal?: AbortSignal): Promise<Answer<SignupForm>> =>
  call<SignupForm>("access_controls/users/signup", { anonymous: true, query: { ...origin }, signal });

export type SignupAnswer = Partial<SessionBody> & { readonly id: string; readonly is_confirmation_required: 0 | 1 };

export const signUp = (
  call: Call,
  users: Readonly<Record<string, unknown>>,
  picture: File | undefined,
): Promise<Answer<SignupAnswer>> => {
  const sent = picture ? { ...users, images: { name: picture } } : users;
  return call<SignupAnswer>("access_controls/users/signup", {
    anonymous: true,
    body: { data: { users: sent, action: { signup: "Signup" } } },
  });
};

export interface License {
  readonly license_agreement: string;
  readonly license_agreement_title: string;
  readonly license_agreement_version: string | null;
}

export const readLicense = (call: Call, origin: SignupOrigin, signal?: AbortSignal): Promise<Answer<License>> =>
  call<License>("access_controls/users/license_agreement", { anonymous: true, query: { ...origin }, signal });

export const acceptLicense = (call: Call, version: string): Promise<Answer<unknown>> =>
  call("access_controls/users/accept_license_agreement", { query: { version }, method: "POST" });

export const forgetPassword = (call: Call, userName: string): Promise<Answer<unknown>> =>
  call("access_controls/users/activate_forgotten_password", {
    anonymous: true,
    body: { data: { users: { user_name: userName } } },
  });

export const resetPassword = (
  call: Call,
  users: { readonly token: string; readonly user_password: string; readonly confirm_password: string },
): Promise<Answer<unknown>> =>
  call("access_controls/users/reset_forgotten_password", { anonymous: true, body: { data: { users } } });

export const confirmMail = (call: Call, token: string): Promise<Answer<unknown>> =>
  call("access_controls/users/confirm_mail", { anonymous: true, body: { data: { users: { token } } } });
