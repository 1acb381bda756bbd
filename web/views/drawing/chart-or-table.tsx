// The line above a picture: what it shows, and whether it is looked at as a picture or read as figures.
import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./drawing.module.css";

interface ChartOrTableProps {
  readonly caption: string;
  readonly isTable: boolean;
  readonly onChange: (isTable: boolean) => void;
}

export function ChartOrTable({ caption, isTable, onChange }: ChartOrTableProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.bar}>
      <span>{caption}</span>
      <SegmentedControl
        size="xs"
        value={isTable ? "figures" : "picture"}
        onChange={(value) => onChange(value === "figures")}
        aria-label={t("charts.shown_as")}
        data={[
          { value: "picture", label: t("charts.picture") },
          { value: "figures", label: t("charts.figures") },
        ]}
      />
    </div>
  );
}
