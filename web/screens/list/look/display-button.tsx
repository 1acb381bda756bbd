// "Display": how tall rows are, and which rules color them. Every choice is a draft of the view, until somebody saves it.
import { Popover, SegmentedControl, UnstyledButton } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import type { ListPage } from "../../../../client/lists/lists.ts";
import { rowHeights } from "../../../../contract/view-look.ts";
import { withFieldParts } from "../../../fields/with-field-parts.ts";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import classes from "../list-tools.module.css";
import type { ViewDraft } from "../views/use-view-draft.ts";

const ColorRules = lazyPart(async () => (await withFieldParts(() => import("./color-rules.tsx"))).ColorRules);

interface DisplayButtonProps {
  readonly schema: RecordTypeSchema;
  readonly head: ListPage;
  readonly draft: ViewDraft;
}

export function DisplayButton({ schema, head, draft }: DisplayButtonProps) {
  const { t } = useTranslation();
  const { row_height: height = "normal", colors = [] } = draft.query;
  return (
    <Popover position="bottom-end" width="min(360px, calc(100vw - 24px))" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <UnstyledButton className={classes.tool ?? ""} disabled={!draft.isReady} aria-label={t("display.button")}>
          <IconAdjustmentsHorizontal size={15} stroke={1.6} aria-hidden="true" />
          <span>{t("display.button")}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={10}>
        <p className={classes.caption} id="row-height">
          {t("display.height")}
        </p>
        <SegmentedControl
          fullWidth
          size="xs"
          aria-labelledby="row-height"
          data={rowHeights.map((value) => ({ value, label: t(`display.heights.${value}`) }))}
          value={height}
          onChange={(next) =>
            draft.change(({ row_height: _, ...rest }) => ({
              ...rest,
              row_height: rowHeights.find((one) => one === next) ?? "normal",
            }))
          }
        />
        <p className={classes.caption}>{t("display.colors")}</p>
        <ColorRules
          {...{ schema, head }}
          rules={colors}
          onChange={(next) =>
            draft.change(({ colors: _, ...rest }) => (next.length === 0 ? rest : { ...rest, colors: next }), true)
          }
        />
      </Popover.Dropdown>
    </Popover>
  );
}
