// Values to compare with as people read them: options by label, records by name, days relative to today in words.
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../client/design/record-types.ts";
import { useFormats } from "../formats.ts";
import { fieldTypes } from "../index.ts";
import { useRecordNames } from "./filter-value-records.tsx";
import { type DayUnit, readDay, readSpan } from "./relative-dates.ts";

const unitNames = { d: "day", w: "week", M: "month", y: "year" } as const satisfies Record<DayUnit, string>;

export interface FilterValueWords {
  value(value: string): string;
  /** Two ends that have a name together. */
  span(values: readonly string[]): string;
}

/** A choice as it stands within a sentence ("this month"); nouns after its first word keep their capitals. */
const within = (choice: string): string => choice.charAt(0).toLocaleLowerCase() + choice.slice(1);

export function useSoughtWords(field: SchemaField | undefined, values: readonly string[]): FilterValueWords {
  const { t } = useTranslation();
  const formats = useFormats();
  const nameOf = useRecordNames(field?.to ?? undefined, field?.to ? values : []);
  const type = field && fieldTypes[field.type];
  const days = type?.days;

  const value = (text: string): string => {
    const option = field?.options?.find((each) => each.value === text);
    if (option) return option.label;
    const day = readDay(text);
    if (day) {
      const { count, unit } = day;
      if (count === 0) return within(t("filter.days.today"));
      const span = formats.measure(Math.abs(count), unitNames[unit]);
      return t(count < 0 ? "filter.ago" : "filter.ahead", { span });
    }
    const words = { yes: t("values.yes"), no: t("values.no") };
    const said = type?.filterText?.(text, { formats, words });
    return said ?? nameOf(text);
  };
  return {
    value,
    span: (ends) => {
      const span = readSpan(ends, days === "instant");
      if (span === undefined) return ends.map(value).join(" – ");
      if (!("count" in span)) return within(t(`filter.spans.${span.name}`));
      return t(span.name === "last" ? "filter.last" : "filter.next", {
        span: formats.measure(span.count, unitNames[span.unit]),
      });
    },
  };
}
