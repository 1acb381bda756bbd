// A part of the navigation under a heading that folds it away; folded or not is remembered. In the rail of icons it has no heading.
import { Tooltip, UnstyledButton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import type { ReactElement, ReactNode } from "react";
import classes from "./navigation.module.css";

interface NavGroupProps {
  /** What it is remembered by. */
  readonly name: string;
  readonly label: string;
  readonly folded: boolean;
  readonly children: ReactNode;
}

export function NavGroup({ name, label, folded, children }: NavGroupProps) {
  const [closed, setClosed] = useLocalStorage<readonly string[]>({
    key: "dossier.navigation.closed",
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const isClosed = closed.includes(name);
  const toggle = () => setClosed(isClosed ? closed.filter((one) => one !== name) : [...closed, name]);
  return (
    <section className={classes.group} aria-label={label}>
      {!folded && (
        <UnstyledButton className={classes.heading ?? ""} aria-expanded={!isClosed} onClick={toggle}>
          <span>{label}</span>
          <IconChevronDown size={12} stroke={2} aria-hidden="true" className={classes.chevron} />
        </UnstyledButton>
      )}
      {(folded || !isClosed) && <ul className={classes.list}>{children}</ul>}
    </section>
  );
}

interface RailProps {
  readonly label: string;
  readonly folded: boolean;
  readonly children: ReactElement;
}

/** Says what an icon stands for where its words are folded away. */
export const Rail = ({ label, folded, children }: RailProps) =>
  folded ? (
    <Tooltip label={label} position="right">
      {children}
    </Tooltip>
  ) : (
    children
  );
