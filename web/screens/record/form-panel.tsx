// The record itself: its form, to read.
import type { PanelProps } from "./panel.ts";
import { RecordForm } from "./record-form.tsx";

const nothing = {};

export function FormPanel({ view, record }: PanelProps) {
  return (
    <RecordForm
      view={view}
      record={record}
      isEdited={false}
      changes={nothing}
      errors={nothing}
      onChange={() => undefined}
    />
  );
}
