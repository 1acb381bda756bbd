// A month to choose a day from, in the language and the week of the reader. Fetched when it is first opened.
import "@mantine/dates/styles.layer.css";
import "dayjs/locale/ar.js";
import { Button, Stack } from "@mantine/core";
import { DatePicker, DatesProvider } from "@mantine/dates";
import { useTranslation } from "react-i18next";
import { useLocale } from "../formats.ts";
import { firstDayOfWeek } from "./first-day-of-week.ts";

export interface CalendarPickerProps {
  /** `YYYY-MM-DD`; null where none is chosen. */
  readonly day: string | null;
  readonly onPick: (day: string | null) => void;
}

export function CalendarPicker({ day, onPick }: CalendarPickerProps) {
  const { t, i18n } = useTranslation();
  const locale = useLocale();
  return (
    <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: firstDayOfWeek(locale) }}>
      <Stack gap="xs">
        <DatePicker value={day} onChange={onPick} {...(day === null ? {} : { defaultDate: day })} />
        <Button variant="subtle" size="xs" disabled={day === null} onClick={() => onPick(null)}>
          {t("actions.clear")}
        </Button>
      </Stack>
    </DatesProvider>
  );
}
