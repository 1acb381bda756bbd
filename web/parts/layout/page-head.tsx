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
      <div className={classes.words}>
        <Title order={1} dir="auto">
          {title}
        </Title>
        {lead !== undefined && (
          <Text c="dimmed" size="sm">
            {lead}
          </Text>
        )}
      </div>
      {children}
    </div>
  );
}
