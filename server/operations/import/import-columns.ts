// import_columns: a file is uploaded once (POST), and what was found in it is told, as often as somebody wants to read it in
// another way (GET): its format, columns, first rows, and where each column would go. Nothing is saved.
import path from "node:path";
import { Failure } from "../../../contract/failures.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { languages } from "../../../contract/texts/languages.ts";
import { writeAll } from "../../../contract/texts/write.ts";
import type { Caller } from "../../access/caller.ts";
import { mayWrite } from "../../access/grant.ts";
import { mayDesign } from "../../access/matrix.ts";
import { findImportFile, type ImportFile, keepImportFile, withLocalCopy } from "../../imports/files.ts";
import { dateOrderOf, decimalSignOf, fitsCells } from "../../imports/mapping/cells.ts";
import { proposeMapping, unimportable } from "../../imports/mapping/propose.ts";
import { findingFields } from "../../imports/mapping/references.ts";
import { newFieldTypes, suggestField, takenNames } from "../../imports/mapping/suggest-field.ts";
import {
  aliasPaths,
  labelOf,
  referenceOf,
  type Target,
  targetOf,
  targetsOf,
  whyNoTarget,
} from "../../imports/mapping/targets.ts";
import { openRows } from "../../imports/reading/open-rows.ts";
import { hasHeader, recognize } from "../../imports/reading/recognize.ts";
import { inTurn } from "../../imports/reading/turns.ts";
import { type Dialect, limits, type SourceRow } from "../../imports/reading/unreadable.ts";
import { filledSheet, sheetNames } from "../../imports/reading/xlsx.ts";
import { writtenCells } from "../../imports/stage.ts";
import { told } from "../../jobs/import.ts";
import { type LastImport, lastImport } from "../../jobs/last-import.ts";
import { localize } from "../../labels/localize.ts";
import type { Snapshot } from "../../metadata/snapshot.ts";
import { uniqueSets } from "../../records/save/check-unique.ts";
import { limits as bodyLimits } from "../../request/limits.ts";
import { textAt, UploadedFile } from "../../request/tree.ts";
import { addressed } from "../addressed.ts";
import type { JsonResult, Operation, OperationContext } from "../operation.ts";
import { refuse, sentDialect, sentHabits } from "./sent-import.ts";

/** Whoever may neither add nor edit has nothing to import. */
export const servesImport: NonNullable<Operation["serves"]> = (caller, type, _, rules) =>
  mayWrite(caller, type, "add", rules) || mayWrite(caller, type, "edit", rules);

export const fileLimits = { bytes: bodyLimits.bodyBytes, files: 1, fileBytes: limits.fileBytes } as const;

/** What is read to show what a file holds. */
const SAMPLE = 1_000;
const SHOWN = 20;

/** Files come from colleagues who read in another language, and from before something was translated. */
const wordingsOf = (design: Snapshot, { glossary }: Caller): readonly Snapshot[] => [
  design,
  ...languages.map((language) => localize(design, language, glossary)),
];

export const importColumns: Operation = {
  methods: ["GET", "POST"],
  authentication: "required",
  reads: "by GET",
  takes: fileLimits,
  matrix: "import",
  askMatrix: "import",
  serves: servesImport,
  async run(context) {
    const { caller, type } = addressed(context);
    const { database, files, config } = context.services;
    const sent = context.call.parameters;
    const last = await lastImport(database, caller, type.key);
    if (sent.file instanceof UploadedFile) {
      const { name, path: file, size, found } = await received(context, sent.file, last);
      const kept = await keepImportFile(database, files, caller, { path: file, name, size }, found.dialect);
      return answer(kept, found, say("import_uploaded", { file: kept.name }));
    }
    const id = textAt(sent, "file") ?? refuse("file", say("import_file_missing"));
    const kept = await findImportFile(database, caller, id);
    const dialect = sentDialect(sent, kept.dialect);
    const folder = path.join(config.dataDir, "tmp");
    const found = await told(() =>
      inTurn(caller.organizationId, () =>
        withLocalCopy(files, kept.storageKey, folder, (file) =>
          describe(context, file, dialect, { isChosen: true, last }),
        ),
      ),
    );
    return found ? answer(kept, found) : refuse("file", say("import_file_gone"));
  },
};

/** A file as it was just uploaded, and what was found in it. */
export function received(
  context: OperationContext,
  { path: file, fileName, size }: UploadedFile,
  last?: LastImport | undefined,
) {
  return inTurn(addressed(context).caller.organizationId, async () => {
    const dialect = sentDialect(context.call.parameters, await told(() => recognize(file, fileName)));
    return { name: fileName, path: file, size, found: await describe(context, file, dialect, { last }) };
  });
}

export interface Described {
  readonly dialect: Dialect;
  /** Beside the one that names the columns. */
  readonly hasRows: boolean;
  readonly habits: { readonly dateOrder: "ymd" | "dmy" | "mdy"; readonly decimalSign: "." | "," };
  readonly body: Record<string, unknown>;
}

interface DescribeOptions {
  /** What says whether there is a header was found, or chosen, before. */
  readonly isChosen?: boolean;
  /** What to propose where the file leaves it open. */
  readonly last?: LastImport | undefined;
}

export async function describe(
  context: OperationContext,
  file: string,
  given: Dialect,
  { isChosen = false, last }: DescribeOptions,
): Promise<Described> {
  const { caller, type } = addressed(context);
  const { snapshot, services, call, language } = context;
  const folder = path.join(services.config.dataDir, "tmp");
  const isTable = given.format === "csv" || given.format === "xlsx";
  const raw = isTable && !isChosen && textAt(call.parameters, "header_row") === undefined;
  const headerRow = raw
    ? hasHeader((await sample(file, { ...given, headerRow: 0 }, folder, 20)).rows)
      ? 1
      : 0
    : given.headerRow;
  const dialect = { ...given, headerRow };
  const { columns, rows: read } = await sample(file, dialect, folder, SAMPLE);
  if (columns.length === 0) {
    const isOpen = !isChosen && given.format === "xlsx" && given.sheet === "";
    const sheet = isOpen ? await told(() => filledSheet(file, folder)) : undefined;
    if (sheet !== undefined) return describe(context, file, { ...given, sheet }, { last });
    // Who chose an empty sheet is told of the others.
    if (given.format !== "xlsx" || given.sheet === "")
      throw new Failure("unreadable_file", { with: { reason: say("import_no_rows") } });
  }
  const cells = read.flatMap((row) => row.cells.filter((cell) => cell !== null));
  const habits = {
    dateOrder: dateOrderOf(cells, caller.locale, last?.habits?.dateOrder),
    decimalSign: decimalSignOf(cells, last?.habits?.decimalSign),
    ...sentHabits(call.parameters),
  };
  const rows = read.map((row) => (row.numbers ? { ...row, cells: writtenCells(row, habits) } : row));
  const targets = targetsOf(snapshot, type, caller);
  const cellsOf = (index: number): string[] =>
    rows.flatMap((row) => row.cells[index] ?? []).filter((cell) => cell.trim() !== "");
  const wordings = wordingsOf(services.metadata.current(), caller);
  const proposals = proposeMapping(
    snapshot,
    type,
    caller,
    columns,
    targets,
    last?.mapping ?? new Map(),
    wordings,
    (index, target) => fitsCells(target, cellsOf(index), { ...habits, dialect }, caller),
  );
  const mapped = new Set(proposals.flatMap(({ target }) => target ?? []));
  const unique = uniqueSets(type).find((names) => names.every((name) => mapped.has(name)));
  const key = mapped.has("id") ? ["id"] : mapped.has("business_key") ? ["business_key"] : (unique ?? []);
  const taken = takenNames(type);
  const prefix = type.origin === "built-in" ? "x_" : "";
  const suggested = (column: string, index: number) => {
    const field = suggestField(column, cellsOf(index), habits, prefix, taken);
    taken.add(field.name);
    return field;
  };
  const noTarget = unimportable(snapshot, type, caller, wordings);
  const reasonOf = (column: string): string | undefined => {
    const path = noTarget(column);
    return path && writeAll([whyNoTarget(snapshot, type, caller, path)], language)[0];
  };
  const body = {
    dialect: {
      ...dialect,
      header_row: headerRow,
      headerRow: undefined,
      sheets: dialect.format === "xlsx" ? await told(() => sheetNames(file)) : [],
      date_order: habits.dateOrder,
      decimal_sign: habits.decimalSign,
    },
    columns: proposals.map(({ column, target, by }, index) => ({
      name: column,
      target,
      by,
      reason: target === null ? (reasonOf(column) ?? null) : null,
      // For designers: the field that the column could become.
      new_field: mayDesign(caller) ? suggested(column, index) : null,
      samples: [...new Set(rows.flatMap((row) => row.cells[index] ?? []))]
        .slice(0, 5)
        .map((text) => text.slice(0, 200)),
    })),
    rows: rows
      .slice(0, SHOWN)
      .map(({ line, cells: own }) => ({ row: line, cells: own.map((cell) => cell?.slice(0, 200) ?? null) })),
    fields: targets.map((target) => {
      const reference = referenceOf(snapshot, target);
      return {
        path: target.path,
        aliases: aliasPaths(target),
        label: labelOf(target),
        type: target.field.type,
        required: target.field.required && !target.child ? 1 : 0,
        unique: target.field.unique ? 1 : 0,
        is_child: target.child ? 1 : 0,
        references: reference?.key ?? null,
        found_by: reference ? ["id", ...findingFields(reference, caller)] : [],
      };
    }),
    field_types: mayDesign(caller) ? newFieldTypes : [],
    key,
    mode: key.length > 0 ? "upsert" : "add",
    // Rows with the same key are one record, where a column says something of a child in each of them.
    grouped: [...mapped].some((path) => isInEachRow(targetOf(snapshot, type, caller, path))) ? 1 : 0,
  };
  return { dialect, habits, hasRows: rows.length > 0, body };
}

const isInEachRow = (target: Target | undefined): boolean =>
  target?.child !== undefined && target.child.position === undefined;

async function sample(file: string, dialect: Dialect, folder: string, most: number) {
  return told(async () => {
    const open = openRows(file, dialect, folder);
    const rows: SourceRow[] = [];
    for await (const batch of open.batches) {
      rows.push(...batch);
      if (rows.length >= most) break;
    }
    return { columns: open.columns(), rows: rows.slice(0, most) };
  });
}

const answer = ({ id, name, size }: ImportFile, { body, hasRows }: Described, said?: Message): JsonResult => {
  const message = hasRows ? said : say("import_no_rows");
  return { body: { data: { file: { id, name, size }, ...body } }, ...(message && { message: [message] }) };
};
