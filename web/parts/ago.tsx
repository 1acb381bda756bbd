// How long ago an instant of the wire was, as people say it; the exact one on hover.
import { readInstant } from "../../client/transport/instant.ts";
import { useFormats } from "../fields/formats.ts";

const steps: readonly (readonly ["day" | "hour" | "minute" | "second", number])[] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** Older than this it is told by its date. */
const DAYS_TOLD = 7;

export function Ago({ text }: { readonly text: string }) {
  const formats = useFormats();
  const date = readInstant(text);
  if (date === undefined) return null;
  const seconds = Math.max(0, (Date.now() - date.getTime()) / 1000);
  const [unit, length] = steps.find(([, size]) => seconds >= size) ?? ["second", 1];
  const told =
    seconds > DAYS_TOLD * 86_400
      ? formats.day(date)
      : formats.ago(unit === "second" ? 0 : Math.floor(seconds / length), unit);
  return (
    <time dateTime={date.toISOString()} title={formats.exact(date)}>
      {told}
    </time>
  );
}
