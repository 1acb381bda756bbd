// A day to compare with: a date of the calendar, today, or so many days from it. And a span of days, by its name or as
// the last or next so many.
import { NumberInput, Select } from "@mantine/core";
import type { ComponentType } from "react";
import { useTranslation } from "react-i18next";
import { type FieldInputProps, plainText } from "../inputs/field-input-props.ts";
import classes from "./filter-value.module.css";
import {
  type DayOffset,
  type DayUnit,
  dayUnits,
  readDay,
  readSpan,
  type Span,
  spanNames,
  writeDay,
  writeSpan,
} from "./relative-dates.ts";

const MOST = 9999;

interface CountProps {
  readonly count: number;
  readonly unit: DayUnit;
  readonly onChange: (next: DayOffset) => void;
}

function Count({ count, unit, onChange }: CountProps) {
  const { t } = useTranslation();
  const units = dayUnits.map((value) => ({ value, label: t(`filter.units.${value}`) }));
  return (
    <>
      <NumberInput
        size="xs"
        className={classes.number ?? ""}
        aria-label={t("filter.how_many")}
        hideControls
        min={1}
        max={MOST}
        clampBehavior="strict"
        allowDecimal={false}
        allowNegative={false}
        value={count}
        onChange={(next) => onChange({ count: Math.max(1, Number(next) || 1), unit })}
      />
      <Select
        size="xs"
        className={classes.unit ?? ""}
        aria-label={t("filter.unit")}
        allowDeselect={false}
        data={units}
        value={unit}
        onChange={(next) => onChange({ count, unit: dayUnits.find((each) => each === next) ?? "d" })}
      />
    </>
  );
}

type Kind = "exact" | "today" | "ago" | "ahead";

const kindOf = (day: DayOffset | undefined): Kind =>
  day === undefined ? "exact" : day.count === 0 ? "today" : day.count < 0 ? "ago" : "ahead";

interface RelativeDayProps extends FieldInputProps {
  readonly exact: ComponentType<FieldInputProps>;
}

export function RelativeDayInput({ exact: Exact, ...props }: RelativeDayProps) {
  const { t } = useTranslation();
  const day = readDay(plainText(props.value));
  const kind = kindOf(day);
  const choose = (next: Kind): void => {
    const count = { exact: 0, today: 0, ago: -7, ahead: 7 }[next];
    props.onChange(next === "exact" ? "" : writeDay({ count, unit: "d" }));
  };
  return (
    <div className={classes.line}>
      <Select
        size="xs"
        className={classes.when ?? ""}
        aria-label={t("filter.which_day")}
        allowDeselect={false}
        value={kind}
        data={(["exact", "today", "ago", "ahead"] as const).map((value) => ({
          value,
          label: t(`filter.days.${value}`),
        }))}
        onChange={(next) => choose(next === "today" || next === "ago" || next === "ahead" ? next : "exact")}
      />
      {kind === "exact" && <Exact {...props} />}
      {day !== undefined && day.count !== 0 && (
        <Count
          count={Math.abs(day.count)}
          unit={day.unit}
          onChange={({ count, unit }) => props.onChange(writeDay({ count: day.count < 0 ? -count : count, unit }))}
        />
      )}
    </div>
  );
}

interface SpanInputProps {
  readonly id: string;
  readonly values: readonly string[];
  readonly isInstant: boolean;
  readonly onValues: (values: readonly string[]) => void;
}

export function SpanInput({ id, values, isInstant, onValues }: SpanInputProps) {
  const { t } = useTranslation();
  const span = readSpan(values, isInstant);
  const choose = (next: Span): void => onValues(writeSpan(next, isInstant));
  const names = [...spanNames, "last", "next"] as const;
  return (
    <div className={classes.line}>
      <Select
        id={id}
        size="xs"
        className={classes.when ?? ""}
        allowDeselect={false}
        value={span?.name ?? null}
        maxDropdownHeight={320}
        data={names.map((value) => ({ value, label: t(`filter.spans.${value}`) }))}
        onChange={(chosen) => {
          const name = names.find((each) => each === chosen);
          if (name === "last" || name === "next") choose({ name, count: 30, unit: "d" });
          else if (name !== undefined) choose({ name });
        }}
      />
      {span && "count" in span && (
        <Count count={span.count} unit={span.unit} onChange={(next) => choose({ name: span.name, ...next })} />
      )}
    </div>
  );
}
