// Days and moments, typed as the reader's profile writes them or chosen from a calendar; and the same as values to compare
// with, which may be relative to today. What cannot be read is kept as it was typed, and said.
import { ActionIcon, Popover, TextInput } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { lazyPart } from "../../parts/loading/lazy-part.tsx";
import { RelativeDayInput } from "../filter/relative-day-input.tsx";
import { useFormats, useLocale, useTimeZone } from "../formats.ts";
import type { CalendarPickerProps } from "./calendar-picker.tsx";
import { type FieldInputProps, plainText } from "./field-input-props.ts";
import { base } from "./input-basics.ts";
import { type WrittenDate, writtenDay, writtenMoment } from "./written-date.ts";

const CalendarPicker = lazyPart<CalendarPickerProps>(
  async () => (await import("./calendar-picker.tsx")).CalendarPicker,
);

interface DateTextProps extends FieldInputProps {
  readonly written: WrittenDate;
  /** A value to show how one is typed. */
  readonly example: string;
  readonly title?: string;
}

function DateText({ written, example, title, ...props }: DateTextProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const value = plainText(props.value);
  const type = (text: string) => {
    setTyped(text);
    props.onChange(text.trim() === "" ? null : (written.read(text) ?? text));
  };
  const isUnread = typed === undefined && value !== "" && !written.isSound(value);
  const hint = t("record.enter_date", { example: written.write(example) });
  const { error, ...rest } = base(props);
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus returnFocus withinPortal shadow="md">
      <TextInput
        {...rest}
        error={error ?? (isUnread ? hint : undefined)}
        title={title}
        autoComplete="off"
        value={typed ?? written.write(value)}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={() => setTyped(undefined)}
        onKeyDown={(event) => {
          // What is sent by Enter is looked at as if the input were left.
          if (event.key === "Enter") setTyped(undefined);
          if (!event.altKey || event.key !== "ArrowDown") return;
          event.preventDefault();
          setOpen(true);
        }}
        rightSection={
          // The target's id is the popover's own; the input keeps the one that its label points to.
          <Popover.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t("record.open_calendar")}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              <IconCalendar size={16} />
            </ActionIcon>
          </Popover.Target>
        }
      />
      <Popover.Dropdown>
        {isOpen && (
          <CalendarPicker
            day={written.dayOf(value)}
            onPick={(day) => {
              props.onChange(day === null ? null : written.withDay(value, day));
              setTyped(undefined);
              setOpen(false);
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

export function DateInput(props: FieldInputProps) {
  const formats = useFormats();
  const locale = useLocale();
  const written = useMemo(() => writtenDay(formats, locale), [formats, locale]);
  return <DateText {...props} written={written} example="2026-12-31" />;
}

/** Entered in the time zone of the reader's profile, whatever the browser's is; kept as UTC. */
export function DateTimeInput(props: FieldInputProps) {
  const formats = useFormats();
  const locale = useLocale();
  const timeZone = useTimeZone();
  const written = useMemo(() => writtenMoment(formats, locale, timeZone), [formats, locale, timeZone]);
  return <DateText {...props} written={written} example="2026-12-31 12:00:00" title={timeZone} />;
}

export function DateFilter(props: FieldInputProps) {
  return <RelativeDayInput {...props} exact={DateInput} />;
}

export function DateTimeFilter(props: FieldInputProps) {
  return <RelativeDayInput {...props} exact={DateTimeInput} />;
}
