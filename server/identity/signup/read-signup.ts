// Takes what was sent to signup, in the flat encoding or the nested one; gives one shape of it, in which every value knows
// the name it was sent under. Judges nothing.
import { localeCode } from "../../lib/locale-code.ts";
import { isTree, type Tree, type TreeValue, textAt, UploadedFile } from "../../request/tree.ts";

/** A text, and where its faults belong: `users.user_password` or `users.iam.0.user_password`. */
export interface SentText {
  readonly text: string;
  readonly at: string;
}

export interface SentRow {
  readonly values: Tree;
  readonly at: string;
}

export interface SentImage {
  /** Undefined when something was said about a file that did not come. */
  readonly file: UploadedFile | undefined;
  /** The upload state that the client itself reports; "" when it does not. */
  readonly error: string;
  readonly at: string;
}

export interface SentSignup {
  readonly userName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly title: string;
  readonly password: SentText;
  readonly confirmation: SentText;
  readonly preferences: Readonly<Record<"time_zone" | "hour_format" | "theme" | "locale", SentText>>;
  readonly roleId: SentText;
  readonly isLicenseAccepted: boolean;
  readonly autoLogin: boolean;
  readonly invitation: string;
  readonly organizationId: string;
  readonly organization: { readonly name: string; readonly currencyId: string };
  readonly rows: Readonly<Record<ContactKind, readonly SentRow[]>>;
  readonly rolesUsers: readonly SentRow[];
  readonly images: readonly SentImage[];
}

export const contactKinds = ["addresses", "email_addresses", "phone_numbers"] as const;
export type ContactKind = (typeof contactKinds)[number];

/** Rows of a has-many: an array, an object of numbers, or one row without a number. */
function rowsOf(value: TreeValue | undefined, at: string): SentRow[] {
  if (Array.isArray(value))
    return value.flatMap((row, index) => (isTree(row) ? [{ values: row, at: `${at}.${index}` }] : []));
  if (!isTree(value)) return [];
  const keys = Object.keys(value);
  if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) {
    return keys.flatMap((key) => {
      const row = value[key];
      return isTree(row) ? [{ values: row, at: `${at}.${key}` }] : [];
    });
  }
  return keys.length === 0 ? [] : [{ values: value, at: `${at}.0` }];
}

function imagesOf(value: TreeValue | undefined): SentImage[] {
  return rowsOf(value, "users.images").flatMap(({ values, at }) => {
    // A file input that was left empty says nothing.
    if (Object.values(values).every((one) => one === null || one === "" || one === "null")) return [];
    const file = [values.name, values.file].find((one) => one instanceof UploadedFile);
    const error = typeof values.error === "string" ? values.error : "";
    return { file: file instanceof UploadedFile ? file : undefined, error, at };
  });
}

/** In form-data the word null means that there is nothing. */
const textOf = (tree: Tree, name: string): string | undefined => {
  const text = textAt(tree, name);
  return text === "null" ? undefined : text;
};

const locale = ({ text, at }: SentText): SentText => ({ text: localeCode(text), at });

export function readSignup(sent: Tree): SentSignup {
  const [account] = rowsOf(sent.iam, "users.iam");
  const rolesUsers = rowsOf(sent.roles_users, "users.roles_users");
  const organizations = rowsOf(sent.organizations, "users.organizations")[0]?.values ?? {};
  const text = (name: string): string => (textOf(sent, name) ?? "").trim();
  /** The nested value where there is one, else the flat one. */
  const either = (name: string): SentText => {
    const nested = account && textOf(account.values, name);
    return account && nested !== undefined
      ? { text: nested, at: `${account.at}.${name}` }
      : { text: textOf(sent, name) ?? "", at: account && !(name in sent) ? `${account.at}.${name}` : `users.${name}` };
  };
  const [role] = rolesUsers;
  const nestedRole = role && "role_id" in role.values ? (textOf(role.values, "role_id") ?? text("role_id")) : undefined;
  return {
    userName: text("user_name"),
    firstName: text("first_name"),
    lastName: text("last_name"),
    title: text("title"),
    password: either("user_password"),
    confirmation: either("confirm_password"),
    preferences: {
      time_zone: either("time_zone"),
      hour_format: either("hour_format"),
      theme: either("theme"),
      locale: locale(either("locale")),
    },
    roleId:
      role && nestedRole !== undefined
        ? { text: nestedRole, at: `${role.at}.role_id` }
        : { text: text("role_id"), at: "users.role_id" },
    isLicenseAccepted: text("is_license_agreement_accepted") === "1",
    autoLogin: text("auto_login") === "1",
    invitation: text("invitation"),
    organizationId: text("organization_id"),
    organization: {
      name: textOf(organizations, "name") ?? "",
      currencyId: (textOf(organizations, "currency_id") ?? text("currency_id")).trim(),
    },
    rows: {
      addresses: rowsOf(sent.addresses, "users.addresses"),
      email_addresses: rowsOf(sent.email_addresses, "users.email_addresses"),
      phone_numbers: rowsOf(sent.phone_numbers, "users.phone_numbers"),
    },
    rolesUsers,
    images: imagesOf(sent.images),
  };
}
