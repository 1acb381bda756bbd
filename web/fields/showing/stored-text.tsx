// A long text on the page of its record: as it was written, or, where its field has Markdown, as that is read.
import { lazy } from "react";
import { PartBoundary } from "../../parts/layout/missing-part.tsx";
import type { StoredProps } from "../field-type.ts";

const MarkdownView = lazy(async () => ({ default: (await import("./markdown-view.tsx")).MarkdownView }));

export function StoredText({ element, plain }: StoredProps) {
  if (element.settings?.format !== "markdown") return <span dir="auto">{plain}</span>;
  return (
    <PartBoundary fallback={plain} instead={plain}>
      <MarkdownView text={plain} />
    </PartBoundary>
  );
}
