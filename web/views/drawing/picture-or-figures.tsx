// The line above a picture: what it shows, and whether it is looked at as a picture or read as figures.
import { SegmentedControl } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./drawing.module.css";

interface PictureOrFiguresProps {
  readonly caption: string;
  readonly isTable: boolean;
  readonly onChange: (isTable: boolean) => void;
}

export function PictureOrFigures({ caption, isTable, onChange }: PictureOrFiguresProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.bar}>
      <span>{caption}</span>
      <SegmentedControl
        size="xs"
        value={isTable ? "figures" : "picture"}
        onChange={(value) => onChange(value === "figures")}
        aria-label={t("pictures.shown_as")}
        data={[
          { value: "picture", label: t("pictures.picture") },
          { value: "figures", label: t("pictures.figures") },
        ]}
      />
    </div>
  );
}
