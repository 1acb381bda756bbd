// A quiet page-sized message: an icon, a sentence, what it means, what to do.
import { Stack, Text, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./empty-state.module.css";

export interface EmptyStateProps {
  readonly icon: Icon;
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
  /** Read out when it appears. */
  readonly live?: boolean;
  /** Takes the room of a section, not of a page. */
  readonly small?: boolean;
}

export function EmptyState({ icon: IconOfState, title, text, children, live, small }: EmptyStateProps) {
  return (
    <div className={classes.state} data-small={small || undefined} role={live ? "alert" : undefined}>
      <span className={classes.icon}>
        <IconOfState size={22} stroke={1.5} aria-hidden="true" />
      </span>
      <Stack gap={4} align="center">
        <Title order={2} ta="center">
          {title}
        </Title>
        {text !== undefined && (
          <Text c="dimmed" ta="center" maw={420} size="sm">
            {text}
          </Text>
        )}
      </Stack>
      {children}
    </div>
  );
}
