// What a record is called: by its name, by what the record type is called that its name is, or as one without a name.
import { useTranslation } from "react-i18next";
import type { RecordView } from "../../../client/records/records.ts";
import { useTypeLabel } from "../../parts/use-type-label.ts";
import { elementsOf } from "./form/form-rules.ts";

export function useRecordName({ name, form, data, alias, singular }: RecordView): string {
  const { t } = useTranslation();
  const typeLabel = useTypeLabel();
  if (!name) return t("record.unnamed", { label: singular });
  const isType = elementsOf(form).some(
    (element) => element.names === "record-type" && data[alias]?.[element.name.at(-1) ?? ""] === name,
  );
  return isType ? typeLabel(name) : name;
}
