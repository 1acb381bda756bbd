// What a field that holds a document (a form, a workflow, an access policy, a condition) can ask of the page around it: how it is designed and shown, and
// which record type it is about. Without it, the JSON text is shown and edited.
import { type ComponentType, createContext, useContext } from "react";
import { useRecordValue } from "./record-values.ts";

export const documentKinds = ["form", "workflow", "policy", "where"] as const;
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

/** By convention a record that describes another type names it as its `controller`, or as its `record_type`; several as its `record_types`. */
export function describedType({ controller, record_type, record_types }: Readonly<Record<string, unknown>>): string {
  const value = controller ?? record_type ?? record_types;
  return typeof value === "string" ? value : "";
}

export function useDescribedType(): string {
  const controller = useRecordValue("controller");
  const record_type = useRecordValue("record_type");
  const record_types = useRecordValue("record_types");
  return describedType({ controller, record_type, record_types });
}
