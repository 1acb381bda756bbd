// Where something is attached: a record by its type and id.
import type { RecordTypeKey } from "../transport/address.ts";

export interface RecordPlace {
  readonly recordTypeKey: RecordTypeKey;
  readonly id: string;
}

export const attachedTo = ({ recordTypeKey, id }: RecordPlace) => ({ related_type: recordTypeKey, related_id: id });
