// A part of a page under a heading of its own, set off by a hairline.
import { Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import classes from "./section.module.css";

interface SectionProps {
  readonly title: string;
  readonly lead?: string;
  /** Stands at the end of the heading's line. */
  readonly action?: ReactNode;
  /** There are several: on a phone they have a line of their own. */
  readonly hasActions?: boolean;
  readonly children: ReactNode;
}

export function Section({ title, lead, action, hasActions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head} data-several={hasActions || undefined}>
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {lead !== undefined && (
            <Text size="sm" c="dimmed">
              {lead}
            </Text>
          )}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
