// Days and moments; and the same as values to compare with, which may be relative to today.
import { TextInput } from "@mantine/core";
import { readInstant, writeInstant } from "../../../client/transport/instant.ts";
import { clockAt, instantIn } from "../../../contract/zones.ts";
import { RelativeDayInput } from "../filter/relative-day-input.tsx";
import { useTimeZone } from "../formats.ts";
import { type FieldInputProps, plainText } from "./field-input-props.ts";
import { base, orNull } from "./input-basics.ts";

export function DateInput(props: FieldInputProps) {
  return (
    <TextInput
      {...base(props)}
      type="date"
      value={plainText(props.value)}
      onChange={(event) => props.onChange(orNull(event.currentTarget.value))}
    />
  );
}

/** Entered in the time zone of the reader's profile, whatever the browser's is; kept as UTC. */
export function DateTimeInput(props: FieldInputProps) {
  const timeZone = useTimeZone();
  const date = readInstant(plainText(props.value));
  return (
    <TextInput
      {...base(props)}
      type="datetime-local"
      title={timeZone}
      value={date ? clockAt(date, timeZone).slice(0, 16) : ""}
      onChange={(event) => {
        const chosen = instantIn(event.currentTarget.value, timeZone);
        props.onChange(chosen === undefined ? null : writeInstant(chosen));
      }}
    />
  );
}

export function DateFilter(props: FieldInputProps) {
  return <RelativeDayInput {...props} exact={DateInput} />;
}

export function DateTimeFilter(props: FieldInputProps) {
  return <RelativeDayInput {...props} exact={DateTimeInput} />;
}
