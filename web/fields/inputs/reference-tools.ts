// What an input that picks records can ask of the page around it: a new record in a dialog, a look at the chosen one.
import { createContext, useContext } from "react";
import type { FoundRecord } from "../../../client/records/records.ts";
import type { RecordTypeKey } from "../../../client/transport/address.ts";

export interface ReferenceTools {
  /** `text` is what was typed already. */
  readonly addRecord?: (key: RecordTypeKey, text: string, onAdded: (record: FoundRecord) => void) => void;
  readonly peekAt?: (key: RecordTypeKey, id: string) => void;
}

export const ReferenceToolsContext = createContext<ReferenceTools>({});

export const useReferenceTools = (): ReferenceTools => useContext(ReferenceToolsContext);
