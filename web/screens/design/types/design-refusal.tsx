// What was refused of a design, all of it at once: each a way to the place where it is mended.
import { UnstyledButton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../../client/transport/wire-failure.ts";
import { Notice } from "../../../parts/layout/notice.tsx";
import { useShownNotice } from "../../../parts/use-shown-notice.ts";
import classes from "../design.module.css";
import { fieldPartLabel } from "./changes/part-labels.ts";
import type { TypeDraft } from "./type-draft.ts";
import { partOf } from "./type-parts.ts";

interface DesignRefusalProps {
  readonly error: Error;
  /** Those that are not mended yet. */
  readonly errors: ReadonlyMap<string, string>;
  readonly draft: TypeDraft;
  readonly onJump: (path: string) => void;
}

/** The first sentence of a failure sums up the others. */
function reasonsOf(error: Error): readonly string[] {
  const [whole = error.message, ...parts] = error instanceof WireFailure ? error.errors : [];
  return parts.length > 0 ? parts : [whole];
}

export function DesignRefusal({ error, errors, draft, onJump }: DesignRefusalProps) {
  const { t } = useTranslation();
  const failure = error instanceof WireFailure ? error : undefined;
  // Whoever saved was at the end of the page.
  const place = useShownNotice(error);
  if (Object.keys(failure?.byField ?? {}).length > 0 && errors.size === 0) return null;
  // The service knows it by a name that is made of what was typed.
  const isModuleName = (path: string): boolean => path === "module" && draft.module === "";
  const labelOf = (path: string): string => {
    const [part = "", id, ...rest] = path.split(".");
    const field = part === "field" ? draft.fields.find((one) => one.id === id) : undefined;
    if (isModuleName(path)) return t("design.module_name");
    if (field === undefined) return t(`design.parts.${partOf(path)}`);
    const number = draft.fields.indexOf(field) + 1;
    const place = rest[0] === "settings" ? rest.slice(0, 2).join(".") : rest[0];
    const called = place === undefined ? [] : [t(fieldPartLabel(place))];
    return [field.label || t("design.field_number", { place: number }), ...called].join(" · ");
  };
  return (
    <Notice tone="bad" title={t("design.refused")} ref={place}>
      {errors.size > 0 ? (
        <ul className={classes.refused}>
          {[...errors].map(([path, words]) => (
            <li key={path}>
              <UnstyledButton onClick={() => onJump(path)}>
                <b>{labelOf(path)}</b> {isModuleName(path) ? t("design.module_name_missing") : words}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      ) : (
        <ul className={classes.refused}>
          {reasonsOf(error).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {t("record.kept")}
    </Notice>
  );
}
