// The panels of a record's page, in the order in which they stand: a line per panel. Each is given the same and draws
// itself; what is not needed at once is fetched when it is first shown.
import { lazy } from "react";
import { withTexts } from "../../texts/languages.ts";
import { FormPanel } from "./form/form-panel.tsx";
import { elementsOf, isFileGrid } from "./form/form-rules.ts";
import type { PlainPanel, SidePanel } from "./panel.ts";
import { WorkflowBar } from "./workflow/workflow-bar.tsx";

const AttachmentsPanel = lazy(async () => ({
  default: (await import("./panels/attachments-panel.tsx")).AttachmentsPanel,
}));
const RelatedPanel = lazy(async () => ({ default: (await import("./panels/related-panel.tsx")).RelatedPanel }));
const WebhookPanel = lazy(async () => ({ default: (await import("./panels/webhook-panel.tsx")).WebhookPanel }));
const WebhookOffNote = lazy(async () => ({ default: (await import("./panels/webhook-off-note.tsx")).WebhookOffNote }));
const OlderRecordsPanel = lazy(async () => ({
  default: (await withTexts("design", () => import("../design/workflows/older-records.tsx"))).OlderRecordsPanel,
}));
const TimelinePanel = lazy(async () => ({ default: (await import("./timeline/timeline-panel.tsx")).TimelinePanel }));
const AccessPanel = lazy(async () => ({ default: (await import("./panels/access-panel.tsx")).AccessPanel }));

export const recordPanels: readonly (PlainPanel | SidePanel)[] = [
  { key: "workflow", place: "top", isShown: ({ view }) => view.workflow !== undefined, Component: WorkflowBar },
  {
    key: "webhook-off",
    place: "top",
    isShown: ({ recordTypeKey, record, view }) =>
      recordTypeKey === "core/webhooks" && record.is_active === "0" && !view.is_record_deleted,
    Component: WebhookOffNote,
  },
  {
    key: "older-records",
    place: "top",
    isShown: ({ recordTypeKey, record, view }) =>
      recordTypeKey === "core/workflows" &&
      record.is_active === "1" &&
      Number(record.version) > 1 &&
      view.is_editable === 1 &&
      !view.is_record_deleted,
    Component: OlderRecordsPanel,
  },
  { key: "form", place: "main", Component: FormPanel },
  {
    key: "files",
    place: "main",
    isShown: ({ view }) => elementsOf(view.form).some(isFileGrid),
    Component: AttachmentsPanel,
  },
  {
    key: "related",
    place: "main",
    isShown: ({ view }) => elementsOf(view.form).some(({ template }) => template === "related"),
    Component: RelatedPanel,
  },
  {
    key: "webhook",
    place: "main",
    isShown: ({ recordTypeKey }) => recordTypeKey === "core/webhooks",
    Component: WebhookPanel,
  },
  { key: "timeline", place: "side", label: (t) => t("timeline.title"), Component: TimelinePanel },
  {
    key: "access",
    place: "side",
    label: (t) => t("record.panel_access"),
    isShown: ({ view }) => view.is_editable === 1 && !view.is_record_deleted,
    Component: AccessPanel,
  },
];
