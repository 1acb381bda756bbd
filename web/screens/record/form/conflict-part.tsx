// Somebody else saved first: which fields both changed, and a choice for each of three: mine, theirs, as it was before.
import { Button, Group, Radio } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Difference, FormElement, WireRecord, WireValue } from "../../../../client/records/records.ts";
import { describedType } from "../../../fields/files/document-tools.ts";
import { useFormats } from "../../../fields/formats.ts";
import { useFocusOnLeave } from "../../../parts/controls/use-return-focus.ts";
import { FactsTable } from "../../../parts/layout/facts-table.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import { useShownNotice } from "../../../parts/use-shown-notice.ts";
import { withTexts } from "../../../texts/languages.ts";
import { StoredValue } from "./stored-value.tsx";
import type { Changes } from "./use-draft.ts";

export const conflictChoices = ["mine", "theirs", "before"] as const;
export type ConflictChoice = (typeof conflictChoices)[number];

/** By field; what is not named is mine. */
export type ConflictChoices = Readonly<Record<string, ConflictChoice>>;

const DocumentParts = lazyPart(
  async () => (await withTexts("design", () => import("../../design/document-parts.tsx"))).DocumentParts,
);
const textOf = (value: WireValue): string => (typeof value === "string" ? value : "");

interface ConflictPartProps {
  readonly differences: readonly Difference[];
  readonly current: WireRecord;
  readonly changes: Changes;
  readonly elementOf: (field: string) => FormElement | undefined;
  readonly isSaving: boolean;
  readonly onSave: (choices: ConflictChoices) => void;
  readonly onReload: () => void;
}

/** On the page of the form, where whoever saved is at its end. */
export function ConflictNotice(props: ConflictPartProps) {
  const { t } = useTranslation();
  const place = useShownNotice(props.differences);
  useFocusOnLeave(place, true);
  return (
    <Notice tone="wait" title={t("record.conflict")} ref={place}>
      <ConflictPart {...props} />
    </Notice>
  );
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
                        <DocumentParts
                          before={textOf(values.before.value)}
                          after={textOf(values[choice].value)}
                          recordTypeKey={describedType(current)}
                        />
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
