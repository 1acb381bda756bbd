// What is done with records that are there: by which fields they are found, and what empty cells mean.
import { Checkbox, MultiSelect, Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { isOn, type OperationFlags } from "../../../../client/design/record-types.ts";
import { type FoundFile, importModes } from "../../../../client/records/imports.ts";
import { type Choices, keyFields, withKey } from "../choices.ts";
import classes from "../import.module.css";

interface ModeOptionsProps {
  readonly found: FoundFile;
  readonly choices: Choices;
  readonly mine: OperationFlags;
  readonly choose: (make: (choices: Choices) => Choices) => void;
}

export function ModeOptions({ found, choices, mine, choose }: ModeOptionsProps) {
  const { t } = useTranslation();
  const [mayAdd, mayEdit] = [isOn(mine.add), isOn(mine.edit)];
  const allowed = importModes.filter(
    (mode) => (mode === "update" || mayAdd) && (mode === "add" || mode === "skip" || mayEdit),
  );
  const { mode, key, empty, grouped, allowsDuplicates } = choices;
  const needsKey = mode !== "add" || grouped;
  const children = new Set(
    found.fields.flatMap(({ path, is_child: child }) => (child === 1 ? [path.split(".")[0]] : [])),
  );
  const hasChildren = grouped || Object.values(choices.mapping).some(({ field }) => children.has(field.split(".")[0]));
  return (
    <div className={classes.options}>
      <Select
        label={t("imports.options.mode")}
        data={allowed.map((value) => ({ value, label: t(`imports.options.modes.${value}`) }))}
        value={mode}
        allowDeselect={false}
        onChange={(value) => {
          const next = allowed.find((one) => one === value);
          if (next) choose((now) => ({ ...now, mode: next }));
        }}
      />
      {needsKey && (
        <MultiSelect
          label={t("imports.options.key")}
          placeholder={key.length === 0 ? t("imports.options.key_choose") : ""}
          data={keyFields(found, choices).map(({ path, label }) => ({ value: path, label }))}
          value={[...key]}
          maxValues={5}
          error={key.length === 0 ? t("imports.options.key_needed") : undefined}
          nothingFoundMessage={t("imports.options.key_none")}
          onChange={(next) => choose((now) => withKey(now, next))}
        />
      )}
      {(mode === "update" || mode === "upsert") && (
        <Select
          label={t("imports.options.empty")}
          data={(["leave", "clear"] as const).map((value) => ({ value, label: t(`imports.options.empties.${value}`) }))}
          value={empty}
          allowDeselect={false}
          onChange={(value) => choose((now) => ({ ...now, empty: value === "clear" ? "clear" : "leave" }))}
        />
      )}
      <div className={classes.checks}>
        {mode !== "update" && (
          <Checkbox
            size="sm"
            label={t("imports.options.duplicates")}
            checked={allowsDuplicates}
            onChange={({ currentTarget: { checked } }) => choose((now) => ({ ...now, allowsDuplicates: checked }))}
          />
        )}
        {hasChildren && (
          <Checkbox
            size="sm"
            label={t("imports.options.grouped")}
            checked={grouped}
            onChange={({ currentTarget: { checked } }) => choose((now) => ({ ...now, grouped: checked }))}
          />
        )}
      </div>
    </div>
  );
}
