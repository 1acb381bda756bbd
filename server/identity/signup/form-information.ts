// Gives the signup form information: everything that a client needs to show the form, and nothing about anybody.
import { say } from "../../../contract/messages.ts";
import { wireRule } from "../../../contract/rules.ts";
import { write } from "../../../contract/texts/write.ts";
import type { Database } from "../../database/database.ts";
import { sql } from "../../database/sql.ts";
import { submitElement } from "../../forms/actions.ts";
import type { OperationContext } from "../../operations/operation.ts";
import { operatorId } from "../operator.ts";
import { preferenceOptions } from "../preferences.ts";
import { contactRules } from "./contact-rows.ts";
import { type Invitation, offeredRoles } from "./find-target.ts";
import { contactKinds } from "./read-signup.ts";

const KEY = "access_controls/users";

const labels: Readonly<Record<string, string>> = {
  user_name: "User name",
  first_name: "First name",
  last_name: "Last name",
  user_password: "Password",
  confirm_password: "Password again",
  role_id: "Role",
  organization_id: "Organisation",
  "organizations.name": "Name of the organisation",
  "organizations.currency_id": "Currency",
  time_zone: "Time zone",
  hour_format: "Hour format",
  locale: "Locale",
  theme: "Theme",
  is_license_agreement_accepted: "Licence agreement",
  auto_login: "Log in at once",
  "images.name": "Picture",
};

const templates: Readonly<Record<string, string>> = {
  user_password: "password",
  confirm_password: "password",
  is_license_agreement_accepted: "checkbox",
  auto_login: "checkbox",
  "images.name": "upload",
};

const required = [
  "user_name",
  "last_name",
  "user_password",
  "confirm_password",
  "role_id",
  "is_license_agreement_accepted",
];

const element = (path: string) => ({
  name: ["users", ...path.split(".")],
  __name: `users.${path}`,
  label: labels[path] ?? path,
  template: templates[path] ?? (/_id$|zone|format|locale|theme/.test(path) ? "select" : "input"),
  method: templates[path] ?? (/_id$|zone|format|locale|theme/.test(path) ? "select" : "text"),
  permission: 2,
  not_empty: required.includes(path) ? "1" : "0",
  rules: [],
  roles: {},
});

const submit = submitElement({ name: "signup", label: "Signup" }, "access_controls");

const needed = { rule: wireRule.required, params: [], message: "must not be empty" };
/** May be left out, but not sent empty. */
const notEmpty = { rule: "not_empty", params: [], message: "must not be empty" };

const filterRules = {
  user_name: [
    needed,
    { rule: "user_name", params: [3, 64], message: "must be 3 to 64 letters, digits or . _ - @ +" },
    { rule: wireRule.unique, params: [], message: "is taken" },
  ],
  last_name: [needed],
  user_password: [needed, { rule: "min_length", params: [10], message: "must have at least 10 characters" }],
  confirm_password: [needed, { rule: "same_as", params: ["user_password"], message: "must be the same" }],
  organization_id: [needed],
  name: [{ rule: "sanitize_name", params: [], message: "is kept without markup and double spaces" }],
  currency_id: [needed],
  is_license_agreement_accepted: [needed, { rule: "accepted", params: ["1"], message: "must be accepted" }],
  role_id: [needed, { rule: "signup_role", params: [], message: "must be one that is offered" }],
  "email_addresses.email": [needed, { rule: wireRule.email, params: [274], message: "is not a valid e-mail address" }],
  "phone_numbers.number": [needed, { rule: wireRule.phone, params: [], message: "is not a valid phone number" }],
  "roles_users.role_id": [notEmpty],
  "roles_users.user_id": [notEmpty],
  "images.error": [{ rule: "upload_state", params: [0], message: "must have arrived whole" }],
  "images.mime_type": [
    {
      rule: "mime_type",
      params: ["image/jpeg", "image/png", "image/webp", "image/gif"],
      message: "must be a JPEG, PNG, WebP or GIF picture",
    },
  ],
  ...Object.fromEntries(
    contactKinds.flatMap((kind) => {
      const { required: always, notEmpty: filled } = contactRules[kind];
      return [
        ...always
          .filter((field) => field !== "email" && field !== "number")
          .map((field) => [`${kind}.${field}`, [needed]]),
        ...filled.map((field) => [`${kind}.${field}`, [notEmpty]]),
      ];
    }),
  ),
};

export interface FormRequest {
  readonly invitation: Invitation | undefined;
  readonly organizationId: string | undefined;
}

const currenciesOf = (db: Database) =>
  db.rows(sql`select code as text, id::text as value from masters__currencies where deleted = 0 order by code`);

export async function formInformation({ services, language }: OperationContext, request: FormRequest) {
  const { database, config } = services;
  const { invitation } = request;
  const operator = await operatorId(database);
  const own = request.organizationId ? await offeredRoles(database, request.organizationId) : [];
  const [options, currencies, offered] = await Promise.all([
    preferenceOptions(database),
    currenciesOf(database),
    own.length > 0 ? own : offeredRoles(database, operator),
  ]);
  const isOpen = config.publicSignup || invitation !== undefined;
  return {
    data: {
      users: {
        related_entity: [],
        addresses: [],
        email_addresses: invitation ? [{ email: invitation.email }] : [],
        phone_numbers: [],
        roles_users: [],
        images: [],
        http: [],
        owned_by: null,
        __owned_by: null,
      },
    },
    permissions: [],
    form_permission: isOpen ? 2 : 4,
    form: {
      name: "users",
      __name: "users",
      label: "Signup",
      model_class: KEY,
      template: "form",
      labels: Object.fromEntries(Object.entries(labels).map(([path, label]) => [`users.${path}`, label])),
      enable_split_layout: 0,
      form_metadata_id: null,
      form_view_href: null,
      field_configurations: [],
      field_request_status: null,
      field_request_message: null,
      href: "/access_controls/users/signup",
      permission: isOpen ? 2 : 4,
      children: [...Object.keys(labels).map(element), submit],
    },
    ...options,
    user_has_edit_permission: isOpen,
    currencies,
    signup_roles: offered.map((role) => ({ text: role.name, value: role.id })),
    is_multi_tenant: config.multiTenant ? 1 : 0,
    allow_public_signup: config.publicSignup ? 1 : 0,
    primary_key: "users.id",
    display_field: "users.name",
    model: KEY,
    model_class: KEY,
    singleton_key: null,
    filterRules,
    id: null,
    name: "",
    rebaseline: [],
    allow_comments: 0,
    is_deletable: 0,
    controllerClass: KEY,
    modelClass: KEY,
    notEmptyField: {
      users: Object.fromEntries(
        required.map((path) => [path, write(say("required", { field: labels[path] ?? path }), language)]),
      ),
    },
    organization_name: invitation?.organizationName ?? null,
    organization_id: invitation?.organizationId ?? null,
    user_id: null,
    user_fullname: null,
  };
}
