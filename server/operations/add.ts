// add: by GET the empty record in its form; by POST the new record.
import type { Operation } from "./operation.ts";
import { save } from "./save.ts";
import { showRecord } from "./view.ts";

export const add: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: "by GET",
  matrix: "add",
  // A form that nobody may fill in is shown all the same, to be read.
  askMatrix: "view",
  run: (context) => (context.call.method === "GET" ? showRecord(context, "add") : save(context, "add")),
};
