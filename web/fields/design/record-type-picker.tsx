// Chooses a record type by what it is called, sorted by module.
import { Select, type SelectProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ListedType } from "../../../client/design/design.ts";

interface RecordTypePickerProps extends Omit<SelectProps, "data" | "value" | "onChange"> {
  readonly types: readonly ListedType[];
  readonly value: string | null;
  readonly onChange: (key: string | null) => void;
}

export function RecordTypePicker({ types, value, onChange, ...props }: RecordTypePickerProps) {
  const { t } = useTranslation();
  const modules = [...new Map(types.map((type) => [type.module, type.module_label]))];
  return (
    <Select
      {...props}
      searchable
      placeholder={props.placeholder ?? t("design.choose_type")}
      nothingFoundMessage={t("design.no_type")}
      allowDeselect={false}
      data={modules.map(([module, group]) => ({
        group,
        items: types.filter((type) => type.module === module).map((type) => ({ value: type.key, label: type.plural })),
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
