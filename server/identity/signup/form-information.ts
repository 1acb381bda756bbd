// Gives the signup form information: everything that a client needs to show the form, and nothing about anybody.
import { type Message, say } from "../../../contract/messages.ts";
import { wireRule } from "../../../contract/rules.ts";
import { type Language, write } from "../../../contract/texts/write.ts";
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

const labels: Readonly<Record<string, Message>> = {
  user_name: say("user_name"),
  first_name: say("first_name"),
  last_name: say("last_name"),
  user_password: say("password"),
  confirm_password: say("password_again"),
  role_id: say("role"),
  organization_id: say("organization"),
  "organizations.name": say("organization_name"),
  "organizations.currency_id": say("currency"),
  time_zone: say("time_zone"),
  hour_format: say("hour_format"),
  locale: say("locale"),
  theme: say("theme"),
  is_license_agreement_accepted: say("terms_of_use"),
  auto_login: say("sign_in_after"),
  "images.name": say("picture"),
};

const labelOf = (path: string, language: Language): string => {
  const label = labels[path];
  return label === undefined ? path : write(label, language);
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

const element = (path: string, language: Language) => ({
  name: ["users", ...path.split(".")],
  __name: `users.${path}`,
  label: labelOf(path, language),
  template: templates[path] ?? (/_id$|zone|format|locale|theme/.test(path) ? "select" : "input"),
  method: templates[path] ?? (/_id$|zone|format|locale|theme/.test(path) ? "select" : "text"),
  permission: 2,
  not_empty: required.includes(path) ? "1" : "0",
  rules: [],
  roles: {},
});

const submit = submitElement({ name: "signup", label: "Signup" }, "access_controls");

const needed = { rule: wireRule.required, params: [], message: say("must_not_be_empty") };
/** May be left out, but not sent empty. */
const notEmpty = { rule: "not_empty", params: [], message: say("must_not_be_empty") };

interface SignupRule {
  readonly rule: string;
  readonly params: readonly (string | number)[];
  readonly message: Message;
}

const rules: Readonly<Record<string, readonly SignupRule[]>> = {
  user_name: [
    needed,
    { rule: "user_name", params: [3, 64], message: say("user_name_shape") },
    { rule: wireRule.unique, params: [], message: say("value_taken") },
  ],
  last_name: [needed],
  user_password: [needed, { rule: "min_length", params: [10], message: say("at_least_characters", { min: 10 }) }],
  confirm_password: [needed, { rule: "same_as", params: ["user_password"], message: say("must_match_password") }],
  organization_id: [needed],
  name: [{ rule: "sanitize_name", params: [], message: say("name_sanitized") }],
  currency_id: [needed],
  is_license_agreement_accepted: [needed, { rule: "accepted", params: ["1"], message: say("must_be_accepted") }],
  role_id: [needed, { rule: "signup_role", params: [], message: say("must_be_offered") }],
  "email_addresses.email": [needed, { rule: wireRule.email, params: [274], message: say("email_shape") }],
  "phone_numbers.number": [needed, { rule: wireRule.phone, params: [], message: say("phone_shape") }],
  "roles_users.role_id": [notEmpty],
  "roles_users.user_id": [notEmpty],
  "images.error": [{ rule: "upload_state", params: [0], message: say("must_be_uploaded") }],
  "images.mime_type": [
    {
      rule: "mime_type",
      params: ["image/jpeg", "image/png", "image/webp", "image/gif"],
      message: say("picture_shape"),
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

const rulesIn = (language: Language) =>
  Object.fromEntries(
    Object.entries(rules).map(([field, all]) => [
      field,
      all.map((rule) => ({ ...rule, message: write(rule.message, language) })),
    ]),
  );

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
      labels: Object.fromEntries(Object.keys(labels).map((path) => [`users.${path}`, labelOf(path, language)])),
      enable_split_layout: 0,
      form_metadata_id: null,
      form_view_href: null,
      field_configurations: [],
      field_request_status: null,
      field_request_message: null,
      href: "/access_controls/users/signup",
      permission: isOpen ? 2 : 4,
      children: [...Object.keys(labels).map((path) => element(path, language)), submit],
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
    filterRules: rulesIn(language),
    id: null,
    name: "",
    rebaseline: [],
    allow_comments: 0,
    is_deletable: 0,
    controllerClass: KEY,
    modelClass: KEY,
    notEmptyField: {
      users: Object.fromEntries(
        required.map((path) => [path, write(say("required", { field: labelOf(path, language) }), language)]),
      ),
    },
    organization_name: invitation?.organizationName ?? null,
    organization_id: invitation?.organizationId ?? null,
    user_id: null,
    user_fullname: null,
  };
}
