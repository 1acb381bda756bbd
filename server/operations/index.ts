// The operations that every record type has: a line per operation.
import type { OperationTable } from "./find-operation.ts";
import { indexRecords } from "./index-records.ts";

export const operations: OperationTable = {
  index: indexRecords,
};
