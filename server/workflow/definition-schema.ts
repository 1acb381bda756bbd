// Takes a workflow's definition as somebody sent it; gives it checked in shape. What needs the record type to be known is
// checked by check-workflow.ts.
import { z } from "zod";
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import type { DesignFault } from "../lib/design-fault.ts";
import { coded, issueFaults } from "../lib/issue-message.ts";

const key = z.string().regex(/^[a-z][a-z0-9_]{0,39}$/u, coded("bad_design_name"));
const label = z.string().trim().min(1).max(80);
const actor = z.union(
  [
    z.enum(["owner", "owner_manager"]),
    z.templateLiteral(["role:", z.string().regex(/^[a-z][a-z0-9_]*$/u)]),
    z.templateLiteral(["group:", z.string().regex(/^[1-9]\d{0,17}$/u)]),
    z.templateLiteral(["user:", z.string().regex(/^[1-9]\d{0,17}$/u)]),
    z.templateLiteral(["field:", z.string().regex(/^[a-z][a-z0-9_]*$/u)]),
  ],
  coded("bad_actor"),
);
const actors = z.array(actor).max(50);
const recipient = z.union(
  [actor, z.templateLiteral(["email:", z.string().regex(/^[a-z][a-z0-9_]*$/u)])],
  coded("bad_recipient"),
);
const text = z.string().min(1).max(2_000);
const values = z.record(key, text);
const when = text.optional();

const effect = z.union(
  [
    z.strictObject({ when, set: values }),
    z.strictObject({
      when,
      create: z.string().regex(/^[a-z][a-z0-9_]*\/[a-z][a-z0-9_]*$/u, coded("bad_type_key")),
      as: key.optional(),
      offer: z
        .array(z.enum(["existing", "skip"]))
        .max(2)
        .optional(),
      values,
    }),
    z.strictObject({
      when,
      mail: z.strictObject({
        to: z.array(recipient).min(1).max(50),
        subject: text,
        text: z.string().min(1).max(20_000),
      }),
    }),
    z.strictObject({ when, notify: z.strictObject({ to: actors.min(1), text }) }),
  ],
  coded("bad_effect"),
);
const effects = z.array(effect).max(30);

const stage = z.strictObject({
  key,
  name: label,
  kind: z.enum(["start", "end"]).optional(),
  value: z.string().min(1).max(200).optional(),
  color: z.string().max(20).optional(),
  actors: actors.optional(),
  grants: z.array(z.enum(["read", "edit", "delete"])).optional(),
  fixed: z.array(key).max(200).optional(),
  enter: effects.optional(),
});

const transition = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_&]{0,39}$/u, coded("bad_action_name")),
  label,
  from: z.union([key, z.array(key).min(1).max(100)], coded("bad_from")),
  to: key,
  kind: z.enum(["move", "approve", "reject", "recall"]).optional(),
  by: actors.optional(),
  needs: z.enum(["any", "all"]).optional(),
  condition: text.optional(),
  required: z.array(key).max(100).optional(),
  reason: z.enum(["none", "optional", "required"]).optional(),
  effects: effects.optional(),
  undo: z.boolean().optional(),
});

const workflowSchema = z.strictObject({
  stage_field: key.optional(),
  stages: z.array(stage).min(1).max(100),
  transitions: z.array(transition).max(500),
});

export type DefinitionShape =
  | { readonly ok: true; readonly definition: WorkflowDefinition }
  | { readonly ok: false; readonly faults: readonly DesignFault[] };

export function readDefinition(input: unknown): DefinitionShape {
  const parsed = workflowSchema.safeParse(input);
  if (parsed.success) return { ok: true, definition: parsed.data };
  return { ok: false, faults: issueFaults(parsed.error.issues, input, "definition") };
}
