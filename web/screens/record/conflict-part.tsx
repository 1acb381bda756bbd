// Somebody else saved first: which fields both changed, and a choice for each.
import { Button, Group, Radio } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Difference, FormElement, WireRecord } from "../../../client/records.ts";
import { Notice } from "../../parts/notice.tsx";
import { ScrollRegion } from "../../parts/scroll-region.tsx";
import table from "../../parts/table.module.css";
import { StoredValue } from "./record-field.tsx";
import type { Changes } from "./use-draft.ts";

interface ConflictPartProps {
  readonly differences: readonly Difference[];
  readonly current: WireRecord;
  readonly changes: Changes;
  readonly elementOf: (field: string) => FormElement | undefined;
  readonly isSaving: boolean;
  /** With the fields that stay as somebody else saved them. */
  readonly onSave: (dropped: readonly string[]) => void;
  readonly onReload: () => void;
}

export function ConflictPart(props: ConflictPartProps) {
  const { differences, current, changes, elementOf, isSaving, onSave, onReload } = props;
  const { t } = useTranslation();
  const [theirs, setTheirs] = useState<readonly string[]>([]);
  const choose = (field: string, take: boolean): void =>
    setTheirs(take ? [...theirs, field] : theirs.filter((each) => each !== field));
  const calledNow = (field: string): string | undefined => {
    const text = current[`__${field}`];
    return typeof text === "string" ? text : undefined;
  };
  return (
    <Notice tone="wait" title={t("record.conflict")}>
      <p>{t("record.conflict_lead")}</p>
      <ScrollRegion label={t("record.conflict")}>
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t("record.conflict_field")}</th>
              <th scope="col">{t("record.mine")}</th>
              <th scope="col">{t("record.theirs")}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, label, sent, stored }) => {
              const element = elementOf(field);
              const takes = theirs.includes(field);
              if (element === undefined) return null;
              return (
                <tr key={field}>
                  <th scope="row">{label}</th>
                  <td>
                    <Radio
                      name={`conflict-${field}`}
                      checked={!takes}
                      aria-label={t("record.keep_mine", { label })}
                      label={
                        <StoredValue element={element} record={current} value={sent} text={changes[field]?.text} />
                      }
                      onChange={() => choose(field, false)}
                    />
                  </td>
                  <td>
                    <Radio
                      name={`conflict-${field}`}
                      checked={takes}
                      aria-label={t("record.keep_theirs", { label })}
                      label={<StoredValue element={element} record={current} value={stored} text={calledNow(field)} />}
                      onChange={() => choose(field, true)}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
      <Group gap="xs" mt="sm">
        <Button size="xs" loading={isSaving} onClick={() => onSave(theirs)}>
          {t("record.save_choice")}
        </Button>
        <Button size="xs" variant="default" onClick={onReload}>
          {t("record.reload")}
        </Button>
      </Group>
    </Notice>
  );
}
