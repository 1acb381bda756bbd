// The head of a page: its icon, its title, a line about it, and what can be done.
import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page-head.module.css";

interface PageHeadProps {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}

export function PageHead({ title, lead, icon, children }: PageHeadProps) {
  return (
    <div className={classes.head}>
      {icon !== undefined && <span className={classes.icon}>{icon}</span>}
      <Title order={1} dir="auto" className={classes.title}>
        {title}
      </Title>
      {lead !== undefined && (
        <Text component="div" c="dimmed" size="sm" className={classes.lead ?? ""}>
          {lead}
        </Text>
      )}
      <div className={classes.actions}>{children}</div>
    </div>
  );
}
