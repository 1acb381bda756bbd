// The record types that a text names, by what they are called.
import { useTypeLabel } from "../../parts/use-type-label.ts";

/** Separated by semicolons. */
export function TypeNames({ keys }: { readonly keys: string }) {
  const typeLabel = useTypeLabel();
  return <>{keys.split(";").map(typeLabel).join(", ")}</>;
}

/** Whether a text names record types, by the setting of its field. */
export const namesTypes = (names: unknown): boolean => names === "record-type" || names === "record-types";
