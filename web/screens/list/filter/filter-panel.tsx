// Builds the filter of a list. What is complete takes effect as it is built; what the service does not take is said here.
import { Button, CloseButton } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useFoundFields } from "../../../fields/filter/use-found-fields.ts";
import { useReturnFocus } from "../../../parts/controls/use-return-focus.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { emptyFilterValue, leavesOf } from "./condition.ts";
import classes from "./filter.module.css";
import { GroupEditor } from "./group-editor.tsx";
import { useFilterDraft } from "./use-filter-draft.ts";

interface FilterPanelProps {
  readonly recordTypeKey: string;
  readonly where: unknown;
  /** Why the service did not take it. */
  readonly refusal: string | undefined;
  readonly onChange: (where: unknown) => void;
  readonly onClose: () => void;
}

export function FilterPanel({ recordTypeKey, where, refusal, onChange, onClose }: FilterPanelProps) {
  const { t } = useTranslation();
  const [group, put] = useFilterDraft(where, onChange);
  const found = useFoundFields(
    recordTypeKey,
    leavesOf(group).map(({ column }) => column),
  );

  // Who opens it goes on in it, and comes back to where they were.
  const panel = useRef<HTMLElement>(null);
  useReturnFocus(true);
  useEffect(() => {
    // The outermost group's own stands last.
    [...(panel.current?.querySelectorAll(`.${classes.more}`) ?? [])].at(-1)?.querySelector("button")?.focus();
  }, []);

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
