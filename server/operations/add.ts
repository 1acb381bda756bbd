// add: by GET the empty record in its form; by POST the new record.
import type { Operation } from "./operation.ts";
import { showRecord } from "./view.ts";

export const add: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: "by GET",
  matrix: "add",
  run: (context) => showRecord(context, "add"),
};
