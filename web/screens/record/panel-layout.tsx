// Puts a record's panels where they belong: across the top, in the wide column, and as tabs beside it. The chosen tab
// is in the address.
import { Tabs } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { PartBoundary } from "../../parts/layout/missing-part.tsx";
import type { PanelProps, PlainPanel, SidePanel } from "./panel.ts";
import classes from "./panel-layout.module.css";
import { PanelSkeleton } from "./panels/panel-skeleton.tsx";
import { recordPanels } from "./panels.ts";

/** Drawn again only for another record: what the page learns about it meanwhile is not its concern. */
export const PanelLayout = memo(function PanelLayout(props: PanelProps) {
  const shown = recordPanels.filter(({ isShown }) => isShown?.(props) ?? true);
  const side = shown.filter((panel): panel is SidePanel => panel.place === "side");
  const at = (place: PlainPanel["place"]) =>
    shown
      .filter((panel) => panel.place === place)
      .map(({ key, Component }) => (
        <PartBoundary key={key} fallback={<PanelSkeleton />}>
          <Component {...props} />
        </PartBoundary>
      ));
  return (
    <>
      {at("top")}
      <div className={classes.columns} data-two={side.length > 0 || undefined}>
        <div className={classes.wide}>{at("main")}</div>
        {side.length > 0 && <SideTabs panels={side} {...props} />}
      </div>
    </>
  );
});

function SideTabs({ panels, ...props }: PanelProps & { readonly panels: readonly SidePanel[] }) {
  const { t } = useTranslation();
  const { panel: wanted } = useSearch({ from: "/inside/$module/$controller/view" });
  const navigate = useNavigate({ from: "/$module/$controller/view" });
  const first = panels[0]?.key;
  const chosen = panels.find(({ key }) => key === wanted)?.key ?? first;
  const choose = (key: string | null): void =>
    void navigate({
      search: { id: props.id, ...(key === null || key === first ? {} : { panel: key }) },
      replace: true,
      state: true,
      resetScroll: false,
    });
  return (
    <aside className={classes.side} aria-label={t("record.beside")}>
      <Tabs value={chosen ?? null} onChange={choose} keepMounted={false}>
        <Tabs.List className={classes.tabs ?? ""}>
          {panels.map(({ key, label }) => (
            <Tabs.Tab key={key} value={key}>
              {label(t)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {panels.map(({ key, Component }) => (
          <Tabs.Panel key={key} value={key} className={classes.panel ?? ""}>
            <PartBoundary fallback={<PanelSkeleton />}>
              <Component {...props} />
            </PartBoundary>
          </Tabs.Panel>
        ))}
      </Tabs>
    </aside>
  );
}
