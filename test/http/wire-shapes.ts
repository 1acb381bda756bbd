// The shapes that programs written for this wire read, as schemas, and what an answer has of them that is not so: each
// difference names the record type, the operation and the path.
import { z } from "zod";

const text = z.string();
const textOrNull = z.string().nullable();
const flag = z.enum(["0", "1"]);
const bit = z.union([z.literal(0), z.literal(1)]);
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

const header = z.looseObject({
  field_type: text,
  alias: text.optional(),
  sortable: z.boolean(),
  searchable: z.boolean(),
  is_invisible: flag,
  clickable_link: flag,
  compute_column_total: flag,
  column_name: text,
  name: text,
  data_type: text,
  visible: z.int(),
  column_total: z.number(),
  total_count: z.number(),
  label: text,
});

/** Attributes that programs read as texts wherever they stand in a form. */
const stringly = {
  not_empty: flag,
  ...Object.fromEntries(
    ["colspan", "min", "max", "select", "open", "allow_row_create", "allow_row_delete", "show_labels"].map((name) => [
      name,
      textOrNull.optional(),
    ]),
  ),
  permission: z.union([z.number(), z.string()]),
  rules: z.array(z.strictObject({ if_condition: text, permission: text })),
  roles: z.record(z.string(), z.strictObject({ permission: text })),
  value: z.union([z.string(), z.number()]).nullish(),
  __value: z.union([z.string(), z.number()]).nullish(),
};

const submit = z.looseObject({
  value: text,
  __value: text,
  is_web_compatible: text,
  is_mobile_compatible: text,
  rules_grid: z.array(z.unknown()),
  roles_grid: z.array(z.unknown()),
  helper: textOrNull,
  allow_copy_to_clipboard: textOrNull,
  allow_user_to_specify_user_level_default: textOrNull,
  business_key: textOrNull,
  template: z.literal("submit"),
  method: z.literal("submit"),
  packaged_with_module: text,
  mw: textOrNull,
});

const element: z.ZodType = z.lazy(() =>
  z
    .looseObject({
      name: z.array(text).min(1),
      __name: text,
      label: text,
      template: text,
      method: text,
      ...stringly,
      children: z.array(element).optional(),
    })
    .superRefine((one, context) => {
      if (Array.isArray(one.name) && one.__name !== one.name.join(".")) {
        context.addIssue({ code: "custom", message: "is not name, dotted", path: ["__name"] });
      }
      if (one.template !== "submit") return;
      for (const issue of submit.safeParse(one).error?.issues ?? []) {
        context.addIssue({ code: "custom", message: issue.message, path: issue.path });
      }
    }),
);

const form = z.looseObject({
  name: text.min(1),
  label: text,
  template: text,
  labels: z.record(z.string(), text),
  enable_split_layout: z.number().nullable(),
  permission: stringly.permission,
  model_class: text,
  href: text,
  children: z.array(element),
});

const filterForm = z.union([
  z.tuple([]),
  z.looseObject({
    name: text,
    label: text,
    children: z.array(
      element.and(z.looseObject({ text, value: text, template: text, method: text, operators: z.array(text) })),
    ),
  }),
]);

/** Rules by which programs tell what to type. */
const rule = z.strictObject({
  rule: z.union([
    z.literal("required"),
    z.literal("\\kernel\\validation::isValidEmail"),
    z.literal("\\kernel\\validation::isValidPhoneNumber"),
    z.literal("\\kernel\\validation::notDuplicate"),
    z.literal("\\kernel\\validation::isIntNumber"),
    z
      .string()
      .regex(/^[a-z_]+$/)
      .refine((name) => !["email", "phone", "integer", "unique"].includes(name)),
  ]),
  params: z.array(z.union([z.string(), z.number()])),
  message: text.min(1),
});

const filterRules = z.record(z.string(), z.array(rule));
const notEmptyField = z.record(z.string(), z.record(z.string(), text));

const property = z.looseObject({
  column_name: text.min(1),
  width: text,
  is_invisible: flag,
  render_type: textOrNull,
  __column: textOrNull,
});

const query = z.looseObject({
  fields: z.array(text),
  order: z.array(text),
  group: z.array(text),
  name: text,
  is_default: flag,
  method: text,
  ui_helper: text,
  first_field_alias: textOrNull,
});

const paginate = (row: z.ZodType) =>
  z.looseObject({
    data: z.array(row),
    alias: text.min(1),
    model: text,
    controller: text,
    count_query: query,
    query,
    render_as: z.literal("index"),
    page: z.int(),
    page_size: z.int(),
    limit: z.int(),
    total_count: z.int(),
    primary_key: text,
    display_field: text,
    name: text,
    is_default: flag,
    method: text,
    ui_helper: text,
    field_alias: z.array(text),
    field_properties: z.record(z.string(), property),
    category_id: text,
    category_id_model: text,
    __category_id: text,
    header: z.array(header),
    listview_id: uuid,
  });

const rowOf = (alias: string) =>
  z
    .object({
      [`${alias}.id`]: text,
      [`${alias}.deleted`]: flag,
      ...Object.fromEntries(
        ["comment", "edit", "tmp_edit", "delete", "tmp_delete"].map((right) => [`${alias}._acl_${right}`, textOrNull]),
      ),
      record_display_name: text,
      is_edit: z.boolean(),
      is_delete: z.boolean(),
      is_comment: z.boolean(),
    })
    .catchall(textOrNull);

const list = (row: z.ZodType) =>
  z.looseObject({
    paginate: paginate(row),
    filter_form: filterForm,
    errors: z.tuple([]),
    message: z.array(text),
    current_listview: uuid,
    __current_listview: text,
    listview_id: uuid,
    listview_name: text,
  });

/** A group has no id and nobody's rights. */
const groupRow = z.record(z.string(), textOrNull);

const record = z.looseObject({
  errors: z.tuple([]),
  message: z.array(text),
  data: z.record(z.string(), z.record(z.string(), z.unknown())),
  primary_key: text,
  display_field: text,
  model: text,
  model_class: text,
  modelClass: text,
  controllerClass: text,
  id: textOrNull,
  name: text,
  alias: text,
  singular: text,
  is_record_deleted: z.boolean(),
  permissions: z.record(z.string(), z.unknown()),
  model_associations: z.record(z.string(), z.unknown()),
  model_behaviours: z.record(z.string(), z.unknown()),
  filterRules,
  form,
  rebaseline: z.array(z.unknown()),
  allow_comments: bit,
  is_editable: bit,
  is_deletable: bit,
  notEmptyField,
  user_id: text,
  user_fullname: text,
});

/** A failure says in `errors` all that it says of fields. */
const failure = z
  .looseObject({
    errors: z.array(text).min(1),
    message: z.array(text),
    error_code: text,
    request_id: text,
    errors_by_field: z.record(z.string(), z.array(text)).optional(),
  })
  .refine(({ errors, errors_by_field = {} }) =>
    Object.values(errors_by_field)
      .flat()
      .every((sentence) => errors.includes(sentence)),
  );

const signup = z.looseObject({
  data: z.looseObject({
    users: z.looseObject({
      ...Object.fromEntries(
        ["related_entity", "addresses", "email_addresses", "phone_numbers", "roles_users", "images", "http"].map(
          (name) => [name, z.array(z.unknown())],
        ),
      ),
      owned_by: z.null(),
      __owned_by: z.null(),
    }),
  }),
  message: z.array(text),
  permissions: z.array(z.unknown()),
  form_permission: z.int(),
  form,
  timezones: z.record(z.string(), text),
  locales: z.array(z.looseObject({ text, value: text })).min(1),
  user_has_edit_permission: z.boolean(),
  hour_format: z.looseObject({ "12": text, "24": text }),
  themes: z.record(z.string(), z.array(z.looseObject({ text, value: text }))),
  currencies: z.array(z.looseObject({ text, value: text })).min(1),
  signup_roles: z.array(z.looseObject({ text, value: uuid })).min(1),
  is_multi_tenant: z.int(),
  allow_public_signup: z.int(),
  filterRules,
  notEmptyField,
  id: z.null(),
  name: text,
  is_deletable: bit,
});

const answerOfRpc = z.strictObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.number(), z.string()]),
  result: record,
});

export const shapes = { list, rowOf, groupRow, record, failure, signup, answerOfRpc };

/** What of an answer is not so; each difference with its place. */
export function differences(place: string, shape: z.ZodType, body: unknown): string[] {
  const parsed = shape.safeParse(body);
  if (parsed.success) return [];
  return parsed.error.issues.slice(0, 5).map((issue) => `${place} ${issue.path.join(".")}: ${issue.message}`);
}
