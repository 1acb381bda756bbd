// Chooses the records that a reference is compared with, one or several; "me" and "my organization" stand for whoever looks.
import { Button, CloseButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { recordNamesQuery } from "../../queries.ts";
import type { FilterValuesProps } from "../inputs/filter-values-props.ts";
import { ReferenceInput } from "../inputs/reference-input.tsx";
import classes from "./filter-value.module.css";

const standIns = {
  "access_controls/users": { value: "{{CURRENT_USER}}", words: "filter.me" },
  "access_controls/organizations": { value: "{{CURRENT_ORGANIZATION}}", words: "filter.my_organization" },
} as const;

type StandIn = (typeof standIns)[keyof typeof standIns];

const standInOf = (controller: string): StandIn | undefined =>
  Object.hasOwn(standIns, controller) ? standIns[controller as keyof typeof standIns] : undefined;

/** What chosen records are called; a value without a name yet is shown as it is. */
export function useRecordNames(controller: string | undefined, values: readonly string[]) {
  const { t } = useTranslation();
  const ids = values.filter((value) => value !== "" && !value.startsWith("{{"));
  const names = useQuery({
    ...recordNamesQuery(controller ?? "", ids),
    enabled: controller !== undefined && ids.length > 0,
  });
  return (value: string): string => {
    const standIn = Object.values(standIns).find((each) => each.value === value);
    if (standIn) return t(standIn.words);
    return names.data?.find(({ id }) => id === value)?.name ?? value;
  };
}

export function FilterValueRecords({ values, many, onValues, ...props }: FilterValuesProps) {
  const { t } = useTranslation();
  const { controller = "" } = props.element;
  const nameOf = useRecordNames(controller, values);
  const standIn = standInOf(controller);
  const given = values.filter((value) => value !== "");
  const [only = ""] = given;
  const choose = (value: string): void => onValues(many ? [...given.filter((each) => each !== value), value] : [value]);
  return (
    <div className={classes.line}>
      {many &&
        given.map((value) => (
          <span key={value} className={classes.pill}>
            <span>{nameOf(value)}</span>
            <CloseButton
              size="xs"
              aria-label={t("filter.leave_out", { name: nameOf(value) })}
              onClick={() => onValues(given.filter((each) => each !== value))}
            />
          </span>
        ))}
      <div className={classes.record}>
        <ReferenceInput
          {...props}
          value={many ? "" : only}
          text={many || only === "" ? null : nameOf(only)}
          onChange={(value) => {
            if (typeof value === "string") choose(value);
            else if (!many) onValues([""]);
          }}
        />
      </div>
      {standIn && !given.includes(standIn.value) && (
        <Button size="compact-xs" variant="default" onClick={() => choose(standIn.value)}>
          {t(standIn.words)}
        </Button>
      )}
    </div>
  );
}
