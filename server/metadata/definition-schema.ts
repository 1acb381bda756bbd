// Takes a definition as somebody sent it; gives it checked in shape, or what is wrong and where.
// What needs other record types to be known is checked by the compiler, not here.
import { z } from "zod";
import { fieldTypeIds } from "../../contract/field-types.ts";
import { rollUpFunctions } from "../../contract/record-type.ts";
import { languages } from "../../contract/texts/languages.ts";
import type { DesignFault } from "../lib/design-fault.ts";
import { coded, issueFaults } from "../lib/issue-message.ts";
import type { RecordTypeDefinition } from "./record-type.ts";

const name = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/, coded("bad_design_name"));
/** Tables are named <module>__<controller>: neither may look as if it held the border. */
const tablePart = name.regex(/^[a-z0-9]+(_[a-z0-9]+)*$/, coded("bad_table_part"));
const key = z.string().regex(/^[a-z][a-z0-9_]*\/[a-z][a-z0-9_]*$/, coded("bad_type_key"));
export const labelSchema = z.string().trim().min(1).max(80);
const refusal = z.string().trim().min(1).max(200).optional();
const grantee = z.union(
  [
    z.enum(["owner", "owner_groups", "primary_group", "organization", "everyone"]),
    z.templateLiteral(["role:", z.string().regex(/^[a-z][a-z0-9_]*$/)]),
    z.templateLiteral(["field:", z.string().regex(/^[a-z][a-z0-9_]*$/)]),
  ],
  coded("grantee_shape"),
);
const conditional = z.strictObject({ to: grantee, when: z.string().trim().min(1).max(2_000) });
const grantees = z.array(z.union([grantee, conditional], coded("grantee_shape"))).max(50);

export const accessPolicySchema = z.strictObject({
  read: grantees,
  edit: grantees,
  delete: grantees,
  comment: grantees,
});

const computedSchema = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({ kind: z.literal("formula"), formula: z.string().trim().min(1).max(2_000) }),
    z.strictObject({
      kind: z.literal("lookup"),
      through: z.array(name).min(1).max(10),
      field: name,
      reveals: z.boolean().optional(),
    }),
    z.strictObject({
      kind: z.literal("roll-up"),
      type: key,
      via: name,
      function: z.enum(rollUpFunctions),
      field: name.optional(),
      where: z.string().trim().min(1).max(2_000).optional(),
      reveals: z.boolean().optional(),
    }),
  ],
  coded("bad_computed"),
);

export const fieldSchema = z.strictObject({
  name,
  label: labelSchema.optional(),
  type: z.enum(fieldTypeIds),
  settings: z.record(z.string(), z.unknown()).optional(),
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
  sortable: z.boolean().optional(),
  searchable: z.boolean().optional(),
  indexed: z.boolean().optional(),
  permission: z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(4)], coded("permission_level")).optional(),
  writeOnly: z.boolean().optional(),
  setByWorkflow: z.boolean().optional(),
  help: z.string().max(500).optional(),
  initial: z.string().max(1000).optional(),
  initialFormula: z.string().trim().min(1).max(500).optional(),
  where: z.string().trim().min(1).max(2_000).optional(),
  computed: computedSchema.optional(),
  aliases: z.array(name).max(10).optional(),
});

export const associationSchema = z.discriminatedUnion(
  "kind",
  [
    z.strictObject({
      kind: z.literal("has-many"),
      name,
      label: labelSchema.optional(),
      type: key,
      via: name,
      owned: z.boolean().optional(),
      shown: z.boolean().optional(),
    }),
    z.strictObject({
      kind: z.literal("has-many-through"),
      name,
      label: labelSchema.optional(),
      type: key,
      through: key,
      via: name,
      to: name,
    }),
    z.strictObject({
      kind: z.literal("has-many-polymorphic"),
      name,
      label: labelSchema.optional(),
      type: key,
      owned: z.boolean().optional(),
      files: z.literal("pictures").optional(),
    }),
    z.strictObject({ kind: z.literal("belongs-to-any"), name, label: labelSchema.optional() }),
  ],
  coded("bad_association"),
);

export const rulesSchema = z
  .array(
    z.strictObject({
      name,
      formula: z.string().trim().min(1).max(2_000),
      message: z.string().trim().min(1).max(300),
      messages: z.partialRecord(z.enum(languages), z.string().trim().min(1).max(300)).optional(),
      field: name.optional(),
    }),
  )
  .max(50);

export const uniqueSchema = z.array(z.array(name).min(1)).max(20);

const duplicatePath = z.string().regex(/^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$/, coded("bad_duplicate_path"));
export const duplicatesSchema = z.array(z.array(duplicatePath).min(1).max(10)).max(10);

export const definitionSchema = z.strictObject({
  module: tablePart,
  controller: tablePart,
  aliases: z.array(tablePart).max(10).optional(),
  label: labelSchema,
  plural: labelSchema,
  icon: z.string().max(60).optional(),
  scope: z.enum(["organization", "shared"]).optional(),
  idKind: z.enum(["integer", "uuid"]).optional(),
  displayField: name,
  sortField: name.optional(),
  fields: z.array(fieldSchema).min(1).max(500),
  associations: z.array(associationSchema).max(100).optional(),
  access: accessPolicySchema,
  categories: z.boolean().optional(),
  businessKey: z.strictObject({ prefix: z.string().max(10), digits: z.int().min(1).max(12) }).optional(),
  allowComments: z.boolean().optional(),
  personalFlag: name.optional(),
  follows: z.enum(["read", "edit"]).optional(),
  confidential: z.boolean().optional(),
  unique: uniqueSchema.optional(),
  indexes: z.array(z.array(name).min(1)).max(50).optional(),
  duplicates: duplicatesSchema.optional(),
  rules: rulesSchema.optional(),
  hidden: z.boolean().optional(),
  setup: z.boolean().optional(),
  appendOnly: z.boolean().optional(),
  writtenByService: z.boolean().optional(),
  refuses: z.strictObject({ add: refusal, edit: refusal, delete: refusal }).optional(),
});

export type DefinitionCheck =
  | { readonly ok: true; readonly definition: RecordTypeDefinition }
  | { readonly ok: false; readonly faults: readonly DesignFault[] };

export function checkDefinition(input: unknown): DefinitionCheck {
  const parsed = definitionSchema.safeParse(input);
  // zod's optional keys may hold undefined, ours may be absent only; the values are the same.
  if (parsed.success) return { ok: true, definition: parsed.data as RecordTypeDefinition };
  return { ok: false, faults: issueFaults(parsed.error.issues, input, "definition") };
}
