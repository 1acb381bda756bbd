// What a save refused, all of it at once: each field a way to the place where it is mended.
import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { isOutcomeUnknown, reasonsOf, WireFailure } from "../../../../client/transport/wire-failure.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { useShownNotice } from "../../../parts/use-shown-notice.ts";
import classes from "../record.module.css";
import type { RefusedField } from "./form-errors.ts";

interface RefusalProps {
  readonly error: Error;
  /** Those that are not mended yet. */
  readonly fields: readonly RefusedField[];
  readonly onJump: (path: string) => void;
}

export function Refusal({ error, fields, onJump }: RefusalProps) {
  const { t } = useTranslation();
  const failure = error instanceof WireFailure ? error : undefined;
  // Whoever saved was at the end of the form; a field that was refused takes them there by itself.
  const hasPlace = fields.some(({ label }) => label !== "");
  const place = useShownNotice(error, hasPlace);
  const hadFields = Object.keys(failure?.byField ?? {}).length > 0;
  if (hadFields && fields.length === 0) return null;
  const count = fields.length;
  const isUnsure = isOutcomeUnknown(error);
  const plain = t(isUnsure ? "record.unsure" : "record.refused_plain");
  return (
    <Notice tone="bad" title={count > 0 ? t("record.refused", { count }) : plain} ref={place}>
      {count > 0 ? (
        <ul className={classes.refused}>
          {fields.map(({ path, label, words, isMarked }) => (
            <li key={path}>
              {label === "" ? (
                words
              ) : (
                <UnstyledButton className={classes.refusedField ?? ""} onClick={() => onJump(path)}>
                  <b>{label}</b> {isMarked ? t("record.refused_marked") : words}
                </UnstyledButton>
              )}
            </li>
          ))}
        </ul>
      ) : (
        `${isUnsure ? t("record.unsure_lead") : reasonsOf(error).map(asSentence).join(" ")} `
      )}
      {t("record.kept")}
    </Notice>
  );
}

/** The service's words stand before others here. */
const asSentence = (words: string): string => (/[.!?…؟]$/.test(words) ? words : `${words}.`);
