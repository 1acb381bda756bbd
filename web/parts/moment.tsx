// An instant of the wire in the reader's own zone and language; the exact one on hover.
import { readInstant } from "../../client/transport/instant.ts";
import { useFormats } from "../fields/formats.ts";

export function Moment({ text, none }: { readonly text: string | null | undefined; readonly none: string }) {
  const formats = useFormats();
  const date = readInstant(text);
  if (date === undefined) return <>{none}</>;
  return (
    <time dateTime={date.toISOString()} title={formats.exact(date)}>
      {formats.day(date)}
    </time>
  );
}
