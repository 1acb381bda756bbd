// edit: by GET the record in its form, ready to be changed; by POST the change.
import type { Operation } from "./operation.ts";
import { showRecord } from "./view.ts";

export const edit: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: "by GET",
  matrix: "edit",
  run: (context) => showRecord(context, "edit"),
};
