// How long ago an instant of the wire was, in words of the reader's language: minutes, hours or days.
import { readInstant } from "../../client/transport/instant.ts";
import { useFormats } from "../fields/formats.ts";

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

export function useDuration(): (seconds: number) => string {
  const formats = useFormats();
  return (seconds) => {
    const [unit, size] = units.find(([, one]) => seconds >= one) ?? (["minute", 60] as const);
    const count = Math.max(seconds >= 60 ? 1 : 0, Math.floor(seconds / size));
    return formats.measure(count, unit);
  };
}

export function useAge(text: string | null | undefined): string | undefined {
  const duration = useDuration();
  const date = readInstant(text);
  const seconds = date === undefined ? 0 : (Date.now() - date.getTime()) / 1000;
  // What began this very minute has no age yet.
  return seconds < 60 ? undefined : duration(seconds);
}
