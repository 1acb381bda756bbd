// view, and the GET side of edit and add: one record with its form, or the empty one, in the mode that was asked for.

import { authorize, isReadOnly, mayOperate } from "../access/matrix.ts";
import type { FormMode } from "../forms/actions.ts";
import { lookUp } from "../records/read/look-up.ts";
import type { PresentedView } from "../records/read/present-view.ts";
import { preparedReader, viewNothing, viewRecord } from "../records/read/view-record.ts";
import { textAt } from "../request/tree.ts";
import { addressed } from "./addressed.ts";
import type { JsonResult, Operation, OperationContext } from "./operation.ts";
import { parseViewRequest, relatedList } from "./related-list.ts";
import { wantedForm } from "./wanted-form.ts";

export async function showRecord(context: OperationContext, mode: FormMode): Promise<JsonResult> {
  const { caller, type } = addressed(context);
  const { snapshot, call, services } = context;
  if (mode !== "view" && !isReadOnly(type, mode)) authorize(caller, type, mode);
  const trim = wantedForm(call);
  const reader = preparedReader(services.database, services.lists);
  const request = parseViewRequest(call);
  const id =
    textAt(call.parameters, "id") ??
    (request.kind === "lookup" && request.q.where
      ? await lookUp(services.database, snapshot, type, caller, request.q.where)
      : undefined);
  const view: PresentedView = await context.time("view", () =>
    id === undefined || mode === "add"
      ? viewNothing(reader, snapshot, type, caller, mode !== "view" && mayOperate(caller, type, mode) ? mode : "view")
      : services.views.view({ caller, snapshot, type, mode, id }, () =>
          viewRecord(reader, snapshot, type, caller, mode, id),
        ),
  );
  const trimmed = trim(view);
  if (request.kind !== "list") return trimmed;
  const paginate = await relatedList(context, caller, type, request.request);
  return { body: trimmed.body, written: { ...trimmed.written, paginate } };
}

export const view: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  run: (context) => showRecord(context, "view"),
};
