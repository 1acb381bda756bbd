// Which record the fields of a form belong to, for those that fetch what they show.
import { createContext } from "react";
import type { RecordPlace } from "../../../client/records/record-place.ts";

/** Undefined for a record that is not there yet. */
export const FilePlaceContext = createContext<RecordPlace | undefined>(undefined);
