// Who else has this record open: their faces, their names on hover and focus, and who is editing it. Nothing while one is alone.
import { Tooltip, UnstyledButton } from "@mantine/core";
import { IconPencil } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { PresentPerson } from "../../../client/records/changes.ts";
import { Face } from "../../parts/layout/face.tsx";
import { usePresent } from "../../parts/live/looking.ts";
import classes from "./record-head.module.css";
import { someNames } from "./some-names.ts";

const MOST_FACES = 3;

export function PresentPeople({ recordTypeKey, id }: { readonly recordTypeKey: string; readonly id: string | null }) {
  const { t, i18n } = useTranslation();
  const people = usePresent(recordTypeKey, id);
  if (people.length === 0) return null;
  const editors = people.filter(({ doing }) => doing === "edit");
  const ordered = [...editors, ...people.filter(({ doing }) => doing !== "edit")];
  const names = (some: typeof people): string =>
    new Intl.ListFormat(i18n.language).format(
      someNames(
        some.map(({ name }) => name),
        (count) => t("record.more_followers", { count }),
      ),
    );
  const says = [
    ...(editors.length > 0 ? [t("record.present_editing", { count: editors.length, names: names(editors) })] : []),
    ...(editors.length < people.length
      ? [
          t("record.present_viewing", {
            count: people.length - editors.length,
            names: names(ordered.slice(editors.length)),
          }),
        ]
      : []),
  ];
  return (
    <Tooltip
      label={says.map((one) => <div key={one}>{one}</div>)}
      events={{ hover: true, focus: true, touch: true }}
      multiline
      maw={280}
    >
      <UnstyledButton className={classes.present} aria-label={says.join(". ")}>
        <span className={classes.faces} aria-hidden="true">
          {ordered.slice(0, MOST_FACES).map(({ id: userId, name, doing }) => (
            <span key={userId} className={classes.presentFace} data-doing={doing}>
              <Face name={name} size={26} />
              {doing === "edit" && (
                <span className={classes.pencil}>
                  <IconPencil size={9} stroke={2.4} />
                </span>
              )}
            </span>
          ))}
          {people.length > MOST_FACES && <span className={classes.furtherFaces}>+{people.length - MOST_FACES}</span>}
        </span>
      </UnstyledButton>
    </Tooltip>
  );
}

/** For whoever edits the record as well: before both have typed for nothing. */
export function AlsoEditing({ editors }: { readonly editors: readonly PresentPerson[] }) {
  const { t, i18n } = useTranslation();
  const names = new Intl.ListFormat(i18n.language).format(
    someNames(
      editors.map(({ name }) => name),
      (count) => t("record.more_followers", { count }),
    ),
  );
  return <>{t("record.also_editing", { count: editors.length, names })}</>;
}
