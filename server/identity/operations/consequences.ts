// access_controls/policies, roles and groups consequences: what saving a policy, a role's matrix or a group's members would open and close,
// for whom. For administrators, who alone may save them. A dry run: changes nothing.
import { z } from "zod";
import { Failure } from "../../../contract/failures.ts";
import { type Message, say, verb } from "../../../contract/messages.ts";
import { matrixOperations } from "../../../contract/permissions.ts";
import { issueMessage } from "../../lib/issue-message.ts";
import { accessPolicySchema } from "../../metadata/definition-schema.ts";
import { policyFaults } from "../../metadata/policies/policy.ts";
import type { AccessPolicy, RecordType } from "../../metadata/record-type.ts";
import { requireType } from "../../metadata/snapshot.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { requireCaller } from "../../operations/require-caller.ts";
import { parseSentJson } from "../../request/json/sent-json.ts";
import { textAt } from "../../request/tree.ts";
import { consequencesOf, type ProposedChange } from "../consequences/consequences.ts";
import { withMatrix, withMembers } from "../consequences/people.ts";

const malformed = (name: string, reason: Message): Failure =>
  new Failure("malformed_parameter", { with: { name, reason } });

/** A document that is sent as JSON text. */
function documentAt<Schema extends z.ZodType>(
  context: OperationContext,
  name: string,
  schema: Schema,
): z.output<Schema> {
  const sent = parseSentJson(textAt(context.call.parameters, name) ?? "");
  if (sent === undefined) throw malformed(name, say("must_be_json"));
  const parsed = schema.safeParse(sent);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const reason = issue ? issueMessage(issue, sent) : say("must_be_json");
  throw malformed([name, ...(issue?.path ?? [])].join("."), reason);
}

const dryRun = (changeOf: (context: OperationContext) => ProposedChange): Operation => ({
  methods: ["POST"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    if (!caller.isAdministrator) {
      const types = context.type?.plural ?? "";
      throw new Failure("administrator_required", { with: { operation: verb("edit"), type: types } });
    }
    const { database } = context.services;
    const consequences = await consequencesOf(database, context.snapshot, caller, changeOf(context));
    return { body: { data: { consequences } } };
  },
});

function requireSense(type: RecordType, policy: AccessPolicy): void {
  const [fault] = policyFaults(type, policy);
  if (fault) throw malformed(`policy.${fault.right}`, fault.wrong);
}

/** `policy` empty: the organization's own goes, and the type's holds again. */
export const policyConsequences = dryRun((context) => {
  const type = requireType(context.snapshot, textAt(context.call.parameters, "record_type") ?? "");
  const policy =
    (textAt(context.call.parameters, "policy") ?? "") === "" ? null : documentAt(context, "policy", accessPolicySchema);
  if (policy) requireSense(type, policy);
  return { policy: { type, policy } };
});

const matrixSchema = z
  .array(z.strictObject({ record_type: z.string().max(200), operations: z.array(z.enum(matrixOperations)) }))
  .max(1_000);

/** `operations`: the whole matrix of the role as it would be. */
export const roleConsequences = dryRun((context) => {
  const role = textAt(context.call.parameters, "id") ?? "";
  const rows = documentAt(context, "operations", matrixSchema);
  const matrix = new Map(rows.map((row) => [row.record_type, new Set(row.operations)]));
  return { people: (now) => withMatrix(now, role, matrix) };
});

const membersSchema = z
  .array(z.strictObject({ user_id: z.string().optional(), member_group_id: z.string().optional() }))
  .max(10_000);

/** `members`: all that the group would have. */
export const groupConsequences = dryRun((context) => {
  const group = textAt(context.call.parameters, "id") ?? "";
  const rows = documentAt(context, "members", membersSchema);
  const distinct = new Map(rows.map((row) => [`${row.user_id} ${row.member_group_id}`, row]));
  const members = [...distinct.values()].map((row) => ({ user: row.user_id, group: row.member_group_id }));
  return { people: (now) => withMembers(now, group, members) };
});
