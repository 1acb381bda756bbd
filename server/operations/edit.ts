// edit: by GET the record in its form, ready to be changed; by POST the change.
import type { Operation } from "./operation.ts";
import { save } from "./save.ts";
import { showRecord } from "./view.ts";

export const edit: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: "by GET",
  matrix: "edit",
  // A form that nobody may fill in is shown all the same, to be read.
  askMatrix: "view",
  run: (context) => (context.call.method === "GET" ? showRecord(context, "edit") : save(context, "edit")),
};
