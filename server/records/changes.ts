export { type Change, recordChanges } from "../database/changes.ts";
