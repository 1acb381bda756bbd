// What a save refused, all of it at once: each field a way to the place where it is mended.
import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../client/wire-failure.ts";
import { Notice } from "../../parts/notice.tsx";
import type { RefusedField } from "./form-errors.ts";
import classes from "./record.module.css";

interface RefusalProps {
  readonly error: Error;
  /** Those that are not mended yet. */
  readonly fields: readonly RefusedField[];
  readonly onJump: (path: string) => void;
}

export function Refusal({ error, fields, onJump }: RefusalProps) {
  const { t } = useTranslation();
  const failure = error instanceof WireFailure ? error : undefined;
  const hadFields = Object.keys(failure?.byField ?? {}).length > 0;
  if (hadFields && fields.length === 0) return null;
  const count = fields.length;
  return (
    <Notice tone="bad" title={count > 0 ? t("record.refused", { count }) : t("record.refused_plain")}>
      {count > 0 ? (
        <ul className={classes.refused}>
          {fields.map(({ path, label, words }) => (
            <li key={path}>
              {label === "" ? (
                words
              ) : (
                <UnstyledButton className={classes.refusedField ?? ""} onClick={() => onJump(path)}>
                  <b>{label}</b> {words}
                </UnstyledButton>
              )}
            </li>
          ))}
        </ul>
      ) : (
        `${(failure?.errors ?? [error.message]).join(" ")} `
      )}
      {t("record.kept")}
    </Notice>
  );
}
