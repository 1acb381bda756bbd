// What is typed into the signup form, and the call it becomes. Pure.
import type { SignupForm, SignupOrigin } from "../../../client/people/auth.ts";

export interface SignupDraft {
  readonly user_name: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly user_password: string;
  readonly confirm_password: string;
  readonly role_id: string;
  readonly organization: string;
  readonly currency_id: string;
  readonly accepted: boolean;
}

export const emptyDraft: SignupDraft = {
  user_name: "",
  first_name: "",
  last_name: "",
  email: "",
  user_password: "",
  confirm_password: "",
  role_id: "",
  organization: "",
  currency_id: "",
  accepted: false,
};

export type Way = "invited" | "join" | "found";

export const wayOf = (origin: SignupOrigin, form: SignupForm): Way =>
  origin.invitation !== undefined && form.organization_name !== null
    ? "invited"
    : origin.organization_id !== undefined
      ? "join"
      : "found";

/** What the browser knows of a person's habits, where the service knows it too. */
export function habits(form: SignupForm, language: string): Readonly<Record<string, string>> {
  const { timeZone, hour12 } = new Intl.DateTimeFormat(undefined, { hour: "numeric" }).resolvedOptions();
  const codes = form.locales.map(({ value }) => value);
  const own = [navigator.language, ...navigator.languages].filter((code) => code.startsWith(language));
  const locale = own.find((code) => codes.includes(code)) ?? codes.find((code) => code.startsWith(`${language}-`));
  return {
    ...(timeZone in form.timezones ? { time_zone: timeZone } : {}),
    ...(locale === undefined ? {} : { locale }),
    hour_format: hour12 ? "12" : "24",
  };
}

export function signupCall(
  draft: SignupDraft,
  way: Way,
  origin: SignupOrigin,
  preferences: Readonly<Record<string, string>>,
): Record<string, unknown> {
  const { email, organization, currency_id, accepted, role_id, ...plain } = draft;
  return {
    ...plain,
    ...preferences,
    ...(email.trim() === "" ? {} : { email_addresses: { 0: { email: email.trim(), type: "work" } } }),
    ...(way === "invited" ? { invitation: origin.invitation } : { role_id }),
    ...(way === "join" ? { organization_id: origin.organization_id } : {}),
    ...(way === "found" ? { organizations: { name: organization, currency_id } } : {}),
    is_license_agreement_accepted: accepted ? "1" : "0",
    auto_login: "1",
  };
}

/** The field of the form that each fault of the wire belongs to. */
const fieldOf: Readonly<Record<string, keyof SignupDraft>> = {
  "users.organization_id": "organization",
  "users.currency_id": "currency_id",
  "users.is_license_agreement_accepted": "accepted",
  "users.email_addresses.0.email": "email",
};

export type Faults = Partial<Record<keyof SignupDraft | "picture" | "other", string | undefined>>;

export function faultsOf(byField: Readonly<Record<string, readonly string[]>>): Faults {
  const faults: Record<string, string> = {};
  for (const [name, sentences] of Object.entries(byField)) {
    const plain = name.replace(/^users\./, "");
    const field = fieldOf[name] ?? (plain in emptyDraft ? plain : /^images/.test(plain) ? "picture" : "other");
    faults[field] = [faults[field], ...sentences].filter(Boolean).join(" ");
  }
  return faults;
}
