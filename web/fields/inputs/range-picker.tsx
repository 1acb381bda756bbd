// A month to choose two days from, the first and the last of a range. Fetched when it is first opened.
import "@mantine/dates/styles.layer.css";
import "dayjs/locale/ar.js";
import { DatePicker, DatesProvider } from "@mantine/dates";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocale } from "../formats.ts";
import { firstDayOfWeek } from "./first-day-of-week.ts";

export interface RangePickerProps {
  /** `YYYY-MM-DD`; null where none is chosen. */
  readonly from: string | null;
  readonly to: string | null;
  readonly onPick: (from: string, to: string) => void;
}

export function RangePicker({ from, to, onPick }: RangePickerProps) {
  const { i18n } = useTranslation();
  const locale = useLocale();
  const [range, setRange] = useState<[string | null, string | null]>([from, to]);
  return (
    <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: firstDayOfWeek(locale) }}>
      <DatePicker
        type="range"
        allowSingleDateInRange
        value={range}
        {...(to === null ? {} : { defaultDate: to })}
        onChange={(next) => {
          setRange(next);
          const [first, last] = next;
          if (first !== null && last !== null) onPick(first, last);
        }}
      />
    </DatesProvider>
  );
}
