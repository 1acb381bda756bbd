// A section of a form that folds away and stays so. One with a refused field is open whatever was folded.
import { Text, Title, UnstyledButton } from "@mantine/core";
import { useLocalStorage } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import section from "../../../parts/layout/section.module.css";
import { usePrinting } from "../../../parts/use-printing.ts";
import classes from "../record.module.css";
import type { Jump } from "./form-errors.ts";

interface RecordSectionProps {
  /** What its state is remembered by. */
  readonly id: string;
  readonly title: string;
  readonly help: string | undefined;
  readonly isOpened: boolean;
  /** A field of it to go to. */
  readonly jump: Jump | undefined;
  readonly children: ReactNode;
}

export function RecordSection({ id, title, help, isOpened, jump, children }: RecordSectionProps) {
  const headingId = useId();
  const body = useRef<HTMLElement>(null);
  const [closed, setClosed] = useLocalStorage<readonly string[]>({
    key: "dossier.form.closed",
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const isPrinting = usePrinting();
  const open = isOpened || isPrinting || !closed.includes(id);
  const toggle = (): void => setClosed(open ? [...closed, id] : closed.filter((one) => one !== id));
  useLayoutEffect(() => {
    if (jump === undefined) return;
    setClosed((before) => before.filter((one) => one !== id));
    // In the next turn the tab and the section are drawn.
    const timer = setTimeout(() => {
      const field = body.current?.querySelector(`[data-field="${CSS.escape(jump.path)}"]`);
      field?.querySelector<HTMLElement>("input:not([type=hidden]), textarea, button")?.focus();
      field?.scrollIntoView({ block: "center" });
    });
    return () => clearTimeout(timer);
  }, [jump, id, setClosed]);
  return (
    <section className={section.section} aria-labelledby={headingId} ref={body}>
      <div className={section.head}>
        <div>
          <Title order={2} id={headingId}>
            <UnstyledButton className={classes.fold ?? ""} aria-expanded={open} onClick={toggle}>
              {title}
              <IconChevronDown size={13} stroke={2} aria-hidden="true" />
            </UnstyledButton>
          </Title>
          {help !== undefined && (
            <Text size="sm" c="dimmed">
              {help}
            </Text>
          )}
        </div>
      </div>
      {open && children}
    </section>
  );
}
