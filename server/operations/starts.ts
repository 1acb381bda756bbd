// starts: what a record that is being filled in would take over from the records that it names, or a row of it. Reads only.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { authorize, mayOperate } from "../access/matrix.ts";
import { childTypeOf, ownedAssociations } from "../metadata/associations.ts";
import { startingValues } from "../records/read/starting-values.ts";
import { preparedReader } from "../records/read/view-record.ts";
import { parseJson } from "../request/json/json.ts";
import { isTree, type TreeValue, textAt } from "../request/tree.ts";
import { addressed } from "./addressed.ts";
import type { Operation } from "./operation.ts";

export const starts: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  // Rows are added to records that are there, too.
  serves(caller, type, snapshot) {
    const rowsStart = ownedAssociations(type).some((one) => childTypeOf(snapshot, one).startsFrom.size > 0);
    if (mayOperate(caller, type, "add")) return rowsStart || type.startsFrom.size > 0;
    return rowsStart && mayOperate(caller, type, "edit");
  },
  async run(context) {
    const { caller, type } = addressed(context);
    const { snapshot, services, call } = context;
    const name = textAt(call.parameters, "rows_of");
    const owned = ownedAssociations(type);
    const association = owned.find((one) => one.name === name);
    if (name !== undefined && !association) {
      const reason = say("must_be_one_of", { options: owned.map((one) => one.name) });
      throw new Failure("malformed_parameter", { with: { name: "rows_of", reason } });
    }
    if (!association || !mayOperate(caller, type, "edit")) authorize(caller, type, "add");
    const sent = new Map(Object.entries(valuesOf(textAt(call.parameters, "values") ?? "{}")));
    const reader = preparedReader(services.database, services.lists);
    return { body: { data: await startingValues(reader, { snapshot, caller, type, association, sent }) } };
  },
};

function valuesOf(text: string): Readonly<Record<string, TreeValue>> {
  try {
    const { value } = parseJson(text);
    if (isTree(value)) return value;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  throw new Failure("malformed_parameter", { with: { name: "values", reason: say("must_be_values") } });
}
