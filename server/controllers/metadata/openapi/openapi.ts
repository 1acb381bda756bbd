// metadata/openapi index, which is also /openapi.json: the interface in OpenAPI 3.1, for the caller: the record types, operations and
// fields that its roles and its key allow, record types made here included.
import { Failure, failures } from "../../../../contract/failures.ts";
import type { Caller } from "../../../access/caller.ts";
import { admit, type WriteRules } from "../../../access/grant.ts";
import { mayOperate } from "../../../access/matrix.ts";
import { programVersion } from "../../../lib/version.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import type { Snapshot } from "../../../metadata/snapshot.ts";
import type { OperationTable } from "../../../operations/find-operation.ts";
import { operations } from "../../../operations/index.ts";
import type { Operation } from "../../../operations/operation.ts";
import { requireCaller } from "../../../operations/require-caller.ts";
import { describedOperations } from "./describe-operations.ts";
import { describeType } from "./describe-type.ts";
import type { DescribedCall } from "./described-accounts.ts";
import { describedCalls } from "./described-calls.ts";
import { anything, list, mapOf, object, type Schema, text } from "./json-schema.ts";

/** What single controllers have by themselves, and what the types say of writing. */
export interface Served {
  readonly own: Readonly<Record<string, OperationTable>>;
  readonly rules: WriteRules;
}

/** Whether the caller is let in, as it is when it calls. */
function isAllowed(
  caller: Caller,
  type: RecordType | undefined,
  operation: Operation,
  isPost: boolean,
  rules: WriteRules,
) {
  if (operation.authentication === "none") return true;
  const { credential } = caller;
  const writes = operation.reads === "by GET" ? isPost : !operation.reads;
  if (writes && credential.kind === "api-key" && credential.scope === "read") return false;
  const { matrix, askMatrix, keepsLimits } = operation;
  try {
    admit(caller, type, writes ? operation : { matrix: askMatrix ?? matrix, keepsLimits }, rules);
    return true;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

const sharedSchemas: Readonly<Record<string, Schema>> = {
  envelope: object(
    { errors: list(text()), message: list(text()), organization_id: text(), user_id: text(), user_fullname: text() },
    ["errors", "message"],
    "What every answer has",
  ),
  failure: object(
    {
      errors: list(text(), "What is wrong, in sentences"),
      message: list(text()),
      error_code: { enum: Object.keys(failures) },
      error_params: anything,
      errors_by_field: mapOf(list(text()), "By <controller>.<field>"),
      request_id: text(),
    },
    ["errors"],
    "What an answer says when a call fails",
  ),
  revision: object({
    revision: text(),
    operation: text(),
    created: text(),
    created_by: { type: ["string", "null"] },
    changes: list(object({ field: text(), label: text(), from: anything, to: anything })),
  }),
  change: object(
    {
      operation: {
        enum: ["add", "edit", "transition", "delete", "restore", "purge", "visible", "invisible", "reset"],
      },
      controller: { type: ["string", "null"] },
      id: { type: ["string", "null"] },
      at: { type: ["string", "null"] },
      cursor: text(),
      revision: text(),
      changes: list(object({ field: text(), from: anything, to: anything })),
    },
    ["operation", "cursor"],
  ),
};

/** The ways in which a call can fail, by the first digit of their status. */
function failing(digit: "4" | "5", description: string) {
  const found = Object.entries(failures).filter(([, { status }]) => String(status).startsWith(digit));
  const error_code = { enum: found.map(([code]) => code) };
  const schema = { allOf: [{ $ref: "#/components/schemas/failure" }, object({ error_code })] };
  const statuses = Object.fromEntries(found.map(([code, { status }]) => [code, status]));
  return { description, content: { "application/json": { schema } }, "x-statuses": statuses };
}

function answers(body: Readonly<Record<string, Schema>> = {}, contentType = "application/json") {
  const isJson = contentType === "application/json";
  const schema: Schema = isJson
    ? { allOf: [{ $ref: "#/components/schemas/envelope" }, object(body)] }
    : { type: "string", contentEncoding: "binary" };
  return {
    "200": { description: "Done", content: { [contentType]: { schema } } },
    "4XX": { $ref: "#/components/responses/refused" },
    "5XX": { $ref: "#/components/responses/failed" },
  };
}

const parametersOf = (parameters: Readonly<Record<string, Schema>> = {}, required: readonly string[] = []) =>
  Object.entries(parameters).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));

const idempotency = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "A retry with the same key within 24 hours writes nothing and gets the first answer",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

interface Described extends Omit<DescribedCall, "body" | "contentType"> {
  readonly operationId: string;
  readonly tag: string;
  readonly body: Schema | undefined;
  readonly contentType?: string | undefined;
}

function pathItem({ operationId, tag, summary, parameters, required, body, answer, contentType, isOpen }: Described) {
  const common = {
    operationId,
    tags: [tag],
    summary,
    parameters: [...parametersOf(parameters, required), ...(body && !isOpen ? [idempotency] : [])],
    responses: answers(answer, contentType),
    ...(isOpen ? { security: [] } : {}),
  };
  if (body === undefined) return { get: common };
  return { post: { ...common, requestBody: { required: true, content: { "application/json": { schema: body } } } } };
}

export function describeInterface(snapshot: Snapshot, caller: Caller, { own, rules }: Served) {
  const paths: Record<string, unknown> = {};
  const schemas: Record<string, Schema> = { ...sharedSchemas };
  const tags: { readonly name: string; readonly description: string }[] = [];
  for (const [controller, calls] of Object.entries(describedCalls)) {
    for (const [name, call] of Object.entries(calls)) {
      if (call.only === "administrators" && !caller.isAdministrator) continue;
      const operation = own[controller]?.[name];
      const isPost = call.body !== undefined;
      if (!operation || !isAllowed(caller, snapshot.types.get(controller), operation, isPost, rules)) continue;
      const operationId = `${controller.replace("/", "_")}_${name}`;
      const described = { ...call, operationId, tag: controller, body: call.body };
      paths[`/${controller}/${name}.json`] = pathItem(described);
    }
  }
  const isSeen = (type: RecordType) => mayOperate(caller, type, "index") || mayOperate(caller, type, "view");
  const known = (key: string) => {
    const type = snapshot.types.get(key);
    return type && isSeen(type) ? type : undefined;
  };
  for (const type of snapshot.types.values()) {
    if (!isSeen(type)) continue;
    Object.assign(schemas, describeType(type, caller, known));
    tags.push({ name: type.key, description: type.plural });
    for (const [name, described] of Object.entries(describedOperations)) {
      const operation = own[type.key]?.[name] ?? operations[name];
      const isPost = described.body !== undefined;
      if (operation === undefined || !isAllowed(caller, type, operation, isPost, rules)) continue;
      if (operation.serves?.(caller, type, snapshot, rules) === false) continue;
      paths[`/${type.key}/${name}.json`] ??= pathItem({
        operationId: `${type.module}_${type.controller}_${name}`,
        tag: type.key,
        summary: described.summary(type),
        ...(described.parameters ? { parameters: described.parameters } : {}),
        ...(described.required ? { required: described.required } : {}),
        body: described.body?.(type),
        ...(described.answer ? { answer: described.answer(type) } : {}),
        contentType: described.contentType,
      });
    }
  }
  const used = new Set(Object.keys(paths).map((path) => path.slice(1, path.lastIndexOf("/"))));
  const others = Object.keys(describedCalls).filter((key) => used.has(key) && !tags.some(({ name }) => name === key));
  return {
    openapi: "3.1.0",
    info: {
      title: "Dossier",
      version: programVersion,
      description: `The record types, operations and fields that ${caller.fullName} of ${caller.organizationName} can use.`,
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    tags: [...others.map((name) => ({ name, description: name })), ...tags],
    paths,
    components: {
      schemas,
      responses: {
        refused: failing("4", "Refused: what was sent, or who sent it, cannot have this"),
        failed: failing("5", "Failed: nothing is wrong with what was sent"),
      },
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "An access token from signing in, or an API key" },
      },
    },
  };
}

/** `own`: asked when somebody calls; this operation is one of them. */
export const openapi = (own: () => Served["own"]): Operation => ({
  methods: ["GET"],
  authentication: "required",
  reads: true,
  keepsLimits: true,
  async run(context) {
    const served = { own: own(), rules: context.services.hooks };
    const document = describeInterface(context.snapshot, requireCaller(context), served);
    return { raw: { contentType: "application/json; charset=utf-8", content: JSON.stringify(document) } };
  },
});
