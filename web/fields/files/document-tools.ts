// What a field that holds a document (a form, a workflow, an access policy) can ask of the page around it: how it is designed and shown, and
// which record type it is about. Without it, the JSON text is shown and edited.
import { type ComponentType, createContext, useContext } from "react";

export const documentKinds = ["form", "workflow", "policy"] as const;
export type DocumentKind = (typeof documentKinds)[number];

export interface DocumentProps {
  readonly kind: DocumentKind;
  /** JSON text; empty for one that is not begun. */
  readonly value: string;
  readonly recordTypeKey: string;
  /** What the service refused, in sentences. */
  readonly errors: readonly string[];
  /** Left out where it is only read. */
  readonly onChange?: ((text: string) => void) | undefined;
}

export const DocumentToolsContext = createContext<ComponentType<DocumentProps> | undefined>(undefined);

export const useDocumentTools = (): ComponentType<DocumentProps> | undefined => useContext(DocumentToolsContext);

/** Where no one record is edited. */
export const noRecord = (): unknown => undefined;

/** The values of the record that a form, or of the row that a cell, is about, as they are on the screen. */
export const RecordValuesContext = createContext<(field: string) => unknown>(noRecord);

/** By convention a record that describes another type names it as its `controller`, or as its `record_type`. */
export function useDescribedType(): string {
  const read = useContext(RecordValuesContext);
  const value = read("controller") ?? read("record_type");
  return typeof value === "string" ? value : "";
}
