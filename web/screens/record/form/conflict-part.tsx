// Somebody else saved first: which fields both changed, and a choice for each of three: mine, theirs, as it was before.
import { Button, Group, Radio } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Difference, FormElement, WireRecord, WireValue } from "../../../../client/records/records.ts";
import { useFormats } from "../../../fields/formats.ts";
import { ScrollRegion } from "../../../parts/layout/scroll-region.tsx";
import table from "../../../parts/layout/table.module.css";
import { StoredValue } from "./stored-value.tsx";
import type { Changes } from "./use-draft.ts";

export const conflictChoices = ["mine", "theirs", "before"] as const;
export type ConflictChoice = (typeof conflictChoices)[number];

/** By field; what is not named is mine. */
export type ConflictChoices = Readonly<Record<string, ConflictChoice>>;

interface ConflictPartProps {
  readonly differences: readonly Difference[];
  readonly current: WireRecord;
  readonly changes: Changes;
  readonly elementOf: (field: string) => FormElement | undefined;
  readonly isSaving: boolean;
  readonly onSave: (choices: ConflictChoices) => void;
  readonly onReload: () => void;
}

export function ConflictPart(props: ConflictPartProps) {
  const { differences, current, changes, elementOf, isSaving, onSave, onReload } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const [chosen, setChosen] = useState<ConflictChoices>({});
  const textNow = (field: string): string | undefined => {
    const text = current[`__${field}`];
    return typeof text === "string" ? text : undefined;
  };
  const who = textNow("modified_by");
  const when = typeof current.modified === "string" ? current.modified : undefined;
  const valuesOf = ({ field, sent, stored }: Difference) =>
    ({
      mine: { value: sent, text: changes[field]?.text },
      theirs: { value: stored, text: textNow(field) },
      // Kept by the draft as it came over the wire.
      before: { value: (changes[field]?.from ?? null) as WireValue, text: changes[field]?.fromText },
    }) satisfies Record<ConflictChoice, { value: WireValue; text: string | null | undefined }>;
  return (
    <>
      <p>
        {who !== undefined && when !== undefined && (
          <>{t("record.conflict_who", { who, when: formats.dateTime(when) })} </>
        )}
        {t("record.conflict_lead")}
      </p>
      <ScrollRegion label={t("record.conflict")}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t("record.conflict_field")}</th>
              {conflictChoices.map((choice) => (
                <th key={choice} scope="col">
                  {t(`record.${choice}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {differences.map((difference) => {
              const { field, label } = difference;
              const element = elementOf(field);
              const values = valuesOf(difference);
              if (element === undefined) return null;
              return (
                <tr key={field}>
                  <th scope="row">{label}</th>
                  {conflictChoices.map((choice) => (
                    <td key={choice}>
                      <Radio
                        name={`conflict-${field}`}
                        checked={(chosen[field] ?? "mine") === choice}
                        aria-label={t(`record.keep_${choice}`, { label })}
                        label={<StoredValue element={element} record={current} {...values[choice]} />}
                        onChange={() => setChosen({ ...chosen, [field]: choice })}
                      />
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      <Group gap="xs" mt="sm">
        <Button size="xs" loading={isSaving} onClick={() => onSave(chosen)}>
          {t("record.save_choice")}
        </Button>
        <Button size="xs" variant="default" onClick={onReload}>
          {t("record.reload")}
        </Button>
      </Group>
    </>
  );
}
