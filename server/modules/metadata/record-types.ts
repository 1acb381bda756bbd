// metadata/record_types: types made at run time, saved and taken out of service by the operator's administrators.
import { Failure } from "../../../contract/failures.ts";
import { sql } from "../../database/sql.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { textAt } from "../../request/tree.ts";
import { requireCaller } from "../access_controls/operations/session.ts";

function requireDesigner(context: OperationContext): void {
  const caller = requireCaller(context);
  if (!caller.isAdministrator || !caller.isOperator) throw new Failure("designer_required");
}

const names = (text: string | undefined): string[] => text?.match(/\w+/g) ?? [];

/** A definition is sent as JSON text: it is a document, not a form. */
function sentDefinition(context: OperationContext): unknown {
  const text = textAt(context.call.parameters, "definition");
  try {
    return JSON.parse(text ?? "");
  } catch {
    const reason = "must be the record type's definition as JSON text";
    throw new Failure("malformed_parameter", { with: { name: "definition", reason } });
  }
}

export const save: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const { parameters } = context.call;
    const result = await context.services.metadata.save({
      definition: sentDefinition(context),
      discard: names(textAt(parameters, "discard")),
      convert: names(textAt(parameters, "convert")),
    });
    return {
      message: [`${result.key} is saved`],
      body: {
        data: {
          record_types: {
            key: result.key,
            discarded_values: String(result.discardedValues),
            converted_values: String(result.convertedValues),
          },
        },
      },
    };
  },
};

export const check: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const key = await context.services.metadata.check(sentDefinition(context));
    return { body: { data: { record_types: { key } } } };
  },
};

export const view: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const key = textAt(context.call.parameters, "key") ?? "";
    const row = await context.services.database.row(sql`
      select key, definition, created, modified from metadata__record_types where key = ${key}`);
    if (!row) throw new Failure("unknown_controller", { with: { type: key } });
    return { body: { data: { record_types: row } } };
  },
};

export const remove: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    const key = textAt(context.call.parameters, "key") ?? "";
    if (textAt(context.call.parameters, "is_confirm") !== "1") {
      throw new Failure("conflict", {
        with: { reason: `Send is_confirm=1 to take ${key} out of service; its records stay, and come back with it` },
      });
    }
    await context.services.metadata.remove(key);
    return { message: [`${key} is out of service; its records are kept`], body: { data: [] } };
  },
};
