// Builds the filter of a list. What is complete takes effect as it is built; what the service does not take is said here.
import { Button, CloseButton } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../../client/design/record-types.ts";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { useReturnFocus } from "../../../parts/controls/use-return-focus.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { alongside, emptyFilterValue, type Group, leavesOf, readWhere, writeWhere } from "./condition.ts";
import classes from "./filter.module.css";
import { GroupEditor } from "./group-editor.tsx";
import { newLeaf } from "./operator-words.ts";

const BREATH_MS = 300;

interface FilterPanelProps {
  readonly recordTypeKey: string;
  readonly where: unknown;
  /** A condition to add to it. */
  readonly begin?: { readonly column: string; readonly field: SchemaField } | undefined;
  /** Why the service did not take it. */
  readonly refusal: string | undefined;
  readonly onChange: (where: unknown) => void;
  readonly onClose: () => void;
}

const textOf = (where: unknown): string => JSON.stringify(where ?? null);

export function FilterPanel({ recordTypeKey, where, begin, refusal, onChange, onClose }: FilterPanelProps) {
  const { t } = useTranslation();
  const [group, setGroup] = useState<Group>(() => {
    const there = readWhere(where);
    return begin === undefined ? there : alongside(there, newLeaf(begin.column, begin.field));
  });
  const sent = useRef(textOf(where));
  const found = useFoundFields(
    recordTypeKey,
    leavesOf(group).map(({ column }) => column),
  );
  const send = useDebouncedCallback(
    (next: unknown) => {
      if (textOf(next) === sent.current) return;
      sent.current = textOf(next);
      onChange(next);
    },
    { delay: BREATH_MS, flushOnUnmount: true },
  );

  // Changed from elsewhere: a chip was taken off, another view, back.
  useEffect(() => {
    if (textOf(where) === sent.current) return;
    sent.current = textOf(where);
    setGroup(readWhere(where));
  }, [where]);

  // What it begins with may be complete already.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (begin !== undefined) send(writeWhere(group));
  }, []);

  // Who opens it goes on in it, and comes back to where they were.
  const panel = useRef<HTMLElement>(null);
  useReturnFocus(true);
  useEffect(() => {
    // The outermost group's own stands last.
    [...(panel.current?.querySelectorAll(`.${classes.more}`) ?? [])].at(-1)?.querySelector("button")?.focus();
  }, []);

  const put = (next: Group): void => {
    setGroup(next);
    send(writeWhere(next));
  };
  return (
    <section ref={panel} className={classes.panel} aria-label={t("filter.title")}>
      <div className={classes.body}>
        <GroupEditor recordTypeKey={recordTypeKey} group={group} found={found} onChange={put} />
        {refusal !== undefined && <Notice tone="bad">{t("filter.refused", { reason: refusal })}</Notice>}
      </div>
      <div className={classes.foot}>
        {group.of.length > 0 && (
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => put(emptyFilterValue)}>
            {t("filter.clear")}
          </Button>
        )}
        <CloseButton size="sm" aria-label={t("filter.close")} onClick={onClose} />
      </div>
    </section>
  );
}
