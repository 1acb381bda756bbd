// What the audit log says of an index that was added, kept or removed. Pure.
import type { AuditEntry } from "../../access/audit.ts";
import type { Field } from "../../fields/field-type.ts";
import type { RecordType } from "../../metadata/record-type.ts";

/** `reason`: where nobody asked for it. */
export const indexChange = (
  type: RecordType,
  field: Field,
  change: { readonly from: string | null; readonly to: string | null },
  reason?: string,
): Pick<AuditEntry, "event" | "subject" | "detail"> => ({
  event: "record_type_changed",
  subject: { type: "metadata/record_types", id: type.key, name: `${type.label} / ${type.plural}` },
  detail: {
    operation: "edit",
    changes: { [field.name]: change },
    ...(reason === undefined ? {} : { reason }),
  },
});
