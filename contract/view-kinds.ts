// What a list view can be drawn as: the values of its `ui_helper`.

export const viewKinds = [
  "table",
  "line",
  "pie",
  "bar",
  "gauge",
  "geo",
  "kanban",
  "calendar",
  "funnel",
  "number",
] as const;

export type ViewKind = (typeof viewKinds)[number];

export const isViewKind = (name: unknown): name is ViewKind => viewKinds.some((kind) => kind === name);
