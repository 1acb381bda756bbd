// The operations that every record type has: a line per operation.
import { access, share, unshare } from "./access.ts";
import { addMany } from "./add-many.ts";
import { deleteSelected, editSelected, restoreSelected } from "./bulk.ts";
import { purge, remove, restore } from "./delete.ts";
import { download } from "./download.ts";
import { editMany } from "./edit-many.ts";
import { exportRecords } from "./export-records.ts";
import type { OperationTable } from "./find-operation.ts";
import { follow, followers, unfollow } from "./follow.ts";
import { importColumns } from "./import/import-columns.ts";
import { importRecords } from "./import/import-records.ts";
import { indexRecords } from "./index-records.ts";
import { revert, revisions } from "./revisions.ts";
import { add, edit } from "./save.ts";
import { stageLog } from "./stage-log.ts";
import { starts } from "./starts.ts";
import { timeline } from "./timeline.ts";
import { transition, undoTransition } from "./transition.ts";
import { view } from "./view.ts";

export const operations: OperationTable = {
  index: indexRecords,
  export: exportRecords,
  import: importRecords,
  import_columns: importColumns,
  view,
  download,
  edit,
  add,
  starts,
  delete: remove,
  restore,
  purge,
  revisions,
  revert,
  access,
  share,
  unshare,
  add_many: addMany,
  edit_many: editMany,
  edit_selected: editSelected,
  delete_selected: deleteSelected,
  restore_selected: restoreSelected,
  stage_log: stageLog,
  timeline,
  follow,
  unfollow,
  followers,
  transition,
  undo_transition: undoTransition,
};
