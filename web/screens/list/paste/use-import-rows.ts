// Opens the import of a record type with rows that were pasted.
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { Block } from "../range/cell-block.ts";
import { handRows, namesColumns, rowsFile } from "./rows-file.ts";

/** Forms, workflows and policies are drawn, not typed into spreadsheets. */
export const isDrawn = ({ fields }: RecordTypeSchema): boolean =>
  fields.some(({ settings }) => settings?.document !== undefined);

/** `names`: of the columns that the rows were pasted into, for rows that do not name them. */
export function useImportRows({ recordType, fields }: RecordTypeSchema) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (block: Block, names: readonly string[]): void => {
    const isNamed = namesColumns(block, [...names, ...fields.flatMap(({ label, name }) => [label, name])]);
    const file = rowsFile(`${t("list.pasted_rows")}.csv`, block, isNamed ? undefined : names);
    handRows(recordType.key, { file, headerRow: 1 });
    const [module = "", controller = ""] = recordType.key.split("/");
    void navigate({ to: "/$module/$controller/import", params: { module, controller } });
  };
}
