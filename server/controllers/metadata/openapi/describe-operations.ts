// What the operations that every record type has take and give, for the description of the interface. A test holds it against the
// table of operations (operations/index.ts): what is there is here.
import type { RecordType } from "../../../metadata/record-type.ts";
import { schemaName } from "./describe-type.ts";
import { anything, flag, list, mapOf, nullable, object, reference, type Schema, text, whole } from "./json-schema.ts";

export interface DescribedOperation {
  summary(type: RecordType): string;
  readonly parameters?: Readonly<Record<string, Schema>>;
  /** Names of parameters that must be sent. */
  readonly required?: readonly string[];
  /** Where there is one, it is a POST. */
  body?(type: RecordType): Schema;
  /** What stands beside the envelope. */
  answer?(type: RecordType): Readonly<Record<string, Schema>>;
  /** Where the answer is no JSON. */
  readonly contentType?: string;
}

const record = (type: RecordType): Schema => reference(schemaName(type, "record"));
const input = (type: RecordType): Schema => reference(schemaName(type, "input"));
const row = (type: RecordType): Schema => reference(schemaName(type, "row"));

const id = { id: text("Of the record") };
const viewed = (type: RecordType) => ({
  id: text(),
  name: text("What the record is called"),
  data: object({ [type.alias]: record(type) }),
  is_editable: anything,
  is_deletable: whole(),
  form_version: text(),
});

const action = mapOf(text(), 'Exactly one action, such as {"save_progress": "Save"}');
const saved = (type: RecordType): Schema =>
  object({ data: object({ [type.alias]: input(type), action }, [type.alias, "action"]), override_duplicates: flag() }, [
    "data",
  ]);

const listing: Readonly<Record<string, Schema>> = {
  current_listview: text("The list view; without it the one last used, or the default"),
  page: whole("From 1"),
  limit: whole("Rows of a page, 1 to 1,000"),
  sort: text("A column, such as leads.name"),
  dir: { enum: ["ASC", "DESC"] },
  search_basic: text("Words that must all occur in the record"),
  choices_for: text("A reference, such as shop/orders.machine_id: only records that it can name"),
  choices_record: text("What the record that has the reference holds now, by field, as JSON text"),
  notices: { enum: ["only"] },
  q: text("Conditions, columns, order and groups, as JSON text"),
  listview_query: text("A query in place of the view's own, as JSON text"),
  track_open: flag("0: the view is not remembered as the last used one"),
  estimate: flag("1: groups of a large table may be estimated from a sample; `total_count_is_exact` is 0 then"),
};

const reading: Readonly<Record<string, Schema>> = {
  format: { enum: ["csv", "xlsx", "json", "jsonl"] },
  encoding: { enum: ["utf-8", "utf-16le", "utf-16be", "windows-1252"] },
  separator: text("One character"),
  quote: text("One character, or none"),
  header_row: whole("0: there is none"),
  sheet: text("Of a workbook"),
  date_order: { enum: ["dmy", "mdy", "ymd"] },
  decimal_sign: { enum: [".", ","] },
};

const selection: Readonly<Record<string, Schema>> = {
  ids: list(text(), "The records"),
  all_matching: flag("All records that the list's parameters find, in place of ids"),
  except_ids: list(text()),
  atomic: flag("All or none"),
};

const manyChanged = () => ({
  data: object({ changed: list(text()), failed: mapOf(list(text())) }),
  total: whole(),
  job_id: nullable(text()),
  is_queued: whole("1: it became a job; see core/jobs"),
});

const manyWritten = (type: RecordType): Schema =>
  object(
    {
      data: object({ [type.alias]: list(input(type)), action }, [type.alias]),
      key: text("Fields by which records are found: one name, or several with commas between them"),
      partial: flag("Save what can be saved"),
      atomic: flag("All or none"),
      override_duplicates: flag(),
    },
    ["data"],
  );

const manyAnswered = (type: RecordType) => ({
  data: object({ [type.alias]: list(record(type)), failed: mapOf(list(text())), counts: mapOf(whole()) }),
  job_id: nullable(text()),
});

const confirmed = object({ id: text(), is_confirm: flag("1: it is meant"), override: flag() }, ["id"]);

export const describedOperations: Readonly<Record<string, DescribedOperation>> = {
  index: {
    summary: ({ plural }) => `List ${plural}`,
    parameters: listing,
    answer: (type) => ({
      paginate: object({ data: list(row(type)), page: whole(), page_size: whole(), total_count: whole() }, ["data"]),
    }),
  },
  export: {
    summary: ({ plural }) => `Export ${plural}`,
    parameters: {
      ...listing,
      format: { enum: ["csv", "xlsx", "json"] },
      ids: text("Only these records of it, with commas between them"),
      except_ids: text("All of it but these"),
      bom: flag("1: a CSV that Excel reads as UTF-8"),
      children: flag("1: with the records' children"),
    },
    contentType: "application/octet-stream",
  },
  import_columns: {
    summary: ({ plural }) => `Read what an uploaded file of ${plural} holds, and where its columns would go`,
    parameters: {
      file: text("The id of an upload, which is a POST of the file itself to the same address"),
      ...reading,
    },
    required: ["file"],
    answer: () => ({ data: anything }),
  },
  import: {
    summary: ({ plural }) => `Import ${plural} from an uploaded file, or only check it`,
    body: () =>
      object(
        {
          file: text("The id of an upload"),
          ...reading,
          mapping_id: text("A saved mapping, a record of core/import_mappings"),
          mapping: mapOf(anything, "From columns of the file to fields, in place of mapping_id"),
          mode: { enum: ["add", "update", "upsert", "skip"] },
          key: text("Fields by which records are found: one name, or several with commas between them"),
          empty: { enum: ["leave", "clear"] },
          defaults: mapOf(text()),
          grouped: flag("Rows with the same key are one record"),
          corrections: mapOf(mapOf(nullable(text()))),
          dry_run: flag("Save nothing"),
          atomic: flag("All or none"),
          override_duplicates: flag(),
        },
        ["file"],
      ),
    answer: () => ({
      data: anything,
      job_id: text(),
      is_queued: whole("1: it became a job; see core/jobs"),
      total: whole(),
    }),
  },
  view: {
    summary: ({ label }) => `Read one ${label}`,
    parameters: {
      ...id,
      related_to: text("Adds the records that are related to this one"),
      current_category: text("Adds the records of this category"),
      search_criteria: text("Adds the records that match; empty: all"),
      q: text("Which record, or which related records, as JSON text"),
      form: text("0 leaves out what is the same for every record: its form and labels"),
    },
    answer: viewed,
  },
  download: {
    summary: ({ label }) => `Download a file of one ${label}`,
    parameters: { ...id, field: text("Where there are several"), thumbnail: flag(), as: { enum: ["attachment"] } },
    required: ["id"],
    contentType: "application/octet-stream",
  },
  add: {
    summary: ({ label }) => `Add one ${label}`,
    body: saved,
    answer: viewed,
  },
  edit: {
    summary: ({ label }) => `Edit one ${label}`,
    body: saved,
    answer: viewed,
  },
  delete: {
    summary: ({ label }) => `Move one ${label} to the recycle bin`,
    body: () => confirmed,
    answer: () => ({ id: text() }),
  },
  restore: {
    summary: ({ label }) => `Restore one ${label} from the recycle bin`,
    body: () => object({ id: text() }, ["id"]),
    answer: () => ({ id: text() }),
  },
  purge: {
    summary: ({ label }) => `Remove one deleted ${label} for good`,
    body: () => confirmed,
    answer: () => ({ id: text() }),
  },
  revisions: {
    summary: ({ label }) => `Read the history of one ${label}`,
    parameters: { ...id, page: whole(), limit: whole() },
    required: ["id"],
    answer: () => ({ data: object({ revisions: list(reference("revision")) }) }),
  },
  revert: {
    summary: ({ label }) => `Bring one ${label} back to an earlier revision`,
    body: () => object({ id: text(), revision: text() }, ["id", "revision"]),
    answer: viewed,
  },
  access: {
    summary: ({ label }) => `Read who can access one ${label}`,
    parameters: { ...id, find: text("Adds the users, groups and roles that match, to share it with") },
    answer: () => ({ data: anything }),
  },
  share: {
    summary: ({ label }) => `Share one ${label}`,
    body: () =>
      object(
        {
          id: text(),
          principal_id: text(),
          rights: text("read;edit;delete;comment, or some of them"),
          until: nullable(text()),
        },
        ["id", "principal_id"],
      ),
    answer: () => ({ data: anything }),
  },
  unshare: {
    summary: ({ label }) => `Stop sharing one ${label}`,
    body: () => object({ id: text(), share: text() }, ["id", "share"]),
    answer: () => ({ data: anything }),
  },
  add_many: {
    summary: ({ plural }) => `Add many ${plural}`,
    body: manyWritten,
    answer: manyAnswered,
  },
  edit_many: {
    summary: ({ plural }) => `Edit many ${plural}, each with its own values`,
    body: manyWritten,
    answer: manyAnswered,
  },
  edit_selected: {
    summary: ({ plural }) => `Give many ${plural} the same values`,
    body: (type) =>
      object({ ...selection, data: object({ [type.alias]: input(type) }), override_duplicates: flag() }, ["data"]),
    answer: manyChanged,
  },
  delete_selected: {
    summary: ({ plural }) => `Move many ${plural} to the recycle bin`,
    body: () => object({ ...selection, is_confirm: flag(), override: flag() }),
    answer: manyChanged,
  },
  restore_selected: {
    summary: ({ plural }) => `Restore many ${plural} from the recycle bin`,
    body: () => object(selection),
    answer: manyChanged,
  },
  starts: {
    summary: ({ label }) => `Read what one new ${label} would take over from the records that it names`,
    parameters: {
      values: text("What is filled in so far, by field, as JSON text"),
      rows_of: text("An association whose rows are part of the record: the values are those of a new row"),
    },
    answer: () => ({ data: object({ values: anything, taken: anything }) }),
  },
  followers: {
    summary: ({ label }) => `Read who follows one ${label}`,
    parameters: id,
    required: ["id"],
    answer: () => ({ data: anything }),
  },
  follow: {
    summary: ({ label }) => `Follow one ${label}`,
    body: () => object({ id: text() }, ["id"]),
    answer: () => ({ data: anything }),
  },
  unfollow: {
    summary: ({ label }) => `Stop following one ${label}`,
    body: () => object({ id: text() }, ["id"]),
    answer: () => ({ data: anything }),
  },
  stage_log: {
    summary: ({ label }) => `Read the stages of one ${label}`,
    parameters: id,
    required: ["id"],
    answer: () => ({ data: anything }),
  },
  timeline: {
    summary: ({ label }) => `Read all that happened to one ${label}`,
    parameters: {
      ...id,
      kinds: text("comment;change;stage;file"),
      before: text("next of an earlier page"),
      limit: whole(),
    },
    required: ["id"],
    answer: () => ({
      data: object({ timeline: list(object({ kind: text(), id: text(), at: text() })), next: nullable(text()) }),
    }),
  },
  transition: {
    summary: ({ label }) => `Read what a transition of one ${label} would create`,
    parameters: { ...id, name: text("Of the transition") },
    required: ["id", "name"],
    answer: () => ({ data: anything }),
  },
  undo_transition: {
    summary: ({ label }) => `Take back the last step of one ${label}`,
    body: () => object({ id: text(), step: text() }, ["id"]),
    answer: () => ({ data: anything }),
  },
};
