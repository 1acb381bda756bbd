// One line of text on the page of its record; one that names a record type, by what that is called.
import { useTypeLabel } from "../../parts/use-type-label.ts";
import type { StoredProps } from "../field-type.ts";

export function StoredName({ element, plain }: StoredProps) {
  const typeLabel = useTypeLabel();
  if (element.names === "record-types") return <>{plain.split(";").map(typeLabel).join(", ")}</>;
  return <>{element.names === "record-type" ? typeLabel(plain) : plain}</>;
}
