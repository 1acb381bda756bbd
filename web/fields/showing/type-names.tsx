// The record types that a text names, by their labels.
import { useTypeLabel } from "../../parts/use-type-label.ts";

/** Separated by semicolons. */
export function TypeNames({ keys }: { readonly keys: string }) {
  const typeLabel = useTypeLabel();
  return <>{keys.split(";").map(typeLabel).join(", ")}</>;
}
