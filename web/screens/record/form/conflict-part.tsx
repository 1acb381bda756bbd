// Somebody else saved first: which fields both changed, and a choice for each of three: mine, theirs, as it was before.
import { Button, Group, Radio } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Difference, FormElement, WireRecord, WireValue } from "../../../../client/records/records.ts";
import { documentChanges } from "../../../fields/files/document-changes.ts";
import { useFormats } from "../../../fields/formats.ts";
import { FactsTable } from "../../../parts/layout/facts-table.tsx";
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
      <FactsTable
        label={t("record.conflict")}
        columns={[t("record.conflict_field"), ...conflictChoices.map((choice) => t(`record.${choice}`))]}
      >
        {differences.map((difference) => {
          const { field, label } = difference;
          const element = elementOf(field);
          const values = valuesOf(difference);
          if (element === undefined) return null;
          return (
            <tr key={field}>
              <th scope="row">{label}</th>
              {conflictChoices.map((choice) => (
                <td key={choice} data-label={t(`record.${choice}`)}>
                  <Radio
                    name={`conflict-${field}`}
                    checked={(chosen[field] ?? "mine") === choice}
                    aria-label={t(`record.keep_${choice}`, { label })}
                    label={
                      element.document ? (
                        <Parts before={values.before.value} after={values[choice].value} />
                      ) : (
                        <StoredValue element={element} record={current} {...values[choice]} />
                      )
                    }
                    onChange={() => setChosen({ ...chosen, [field]: choice })}
                  />
                </td>
              ))}
            </tr>
          );
        })}
      </FactsTable>
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

/** Of a whole document, what is other than it was. */
function Parts({ before, after }: { readonly before: WireValue; readonly after: WireValue }) {
  const { t, i18n } = useTranslation();
  const textOf = (value: WireValue): string => (typeof value === "string" ? value : "");
  const changes = documentChanges(textOf(before), textOf(after));
  const told = (["added", "removed", "changed"] as const).filter((kind) => changes[kind].length > 0);
  if (told.length === 0) return t("record.part_same");
  const names = (kind: (typeof told)[number]): string => new Intl.ListFormat(i18n.language).format(changes[kind]);
  return told.map((kind) => <div key={kind}>{t(`record.part_${kind}`, { names: names(kind) })}</div>);
}
