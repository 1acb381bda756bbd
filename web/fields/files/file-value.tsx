// The file that a field holds, to read.
import { useContext } from "react";
import type { FormElement, WireValue } from "../../../client/records/records.ts";
import { FileCard } from "./file-card.tsx";
import { FilePlaceContext } from "./file-place.ts";

export function FileValue({ element, value }: { readonly element: FormElement; readonly value: WireValue }) {
  const record = useContext(FilePlaceContext);
  // A child's file is not the record's: it is named here, and fetched where the child is.
  const isOwn = element.name.length === 2;
  return (
    <FileCard value={value} place={record && isOwn ? { ...record, field: element.name.at(-1) ?? "" } : undefined} />
  );
}
