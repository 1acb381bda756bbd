// A sentence or two that belong to the form or section they stand in: a refusal, a wait, a piece of news.
import { IconAlertCircle, IconClockPause, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode, Ref } from "react";
import classes from "./notice.module.css";

const icons = { news: IconInfoCircle, bad: IconAlertCircle, wait: IconClockPause };

interface NoticeProps {
  readonly tone: keyof typeof icons;
  readonly title?: string;
  readonly children: ReactNode;
  /** For who brings it into sight: it can take the focus. */
  readonly ref?: Ref<HTMLDivElement> | undefined;
}

export function Notice({ tone, title, children, ref }: NoticeProps) {
  const Icon = icons[tone];
  return (
    <div
      ref={ref}
      tabIndex={ref ? -1 : undefined}
      className={classes.notice}
      data-tone={tone}
      role={tone === "news" ? "status" : "alert"}
    >
      <Icon size={17} stroke={1.8} aria-hidden="true" />
      <div>
        {title !== undefined && <strong>{title}</strong>}
        <div>{children}</div>
      </div>
    </div>
  );
}
