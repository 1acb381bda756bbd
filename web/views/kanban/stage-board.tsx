// A board by the stages of a workflow: a card goes where a transition leads, and moving it takes that transition.
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../client/record-types.ts";
import { type StageTransition, type TransitionAnswers, takeTransition } from "../../../client/stages.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { forgetRecords, stagesQuery } from "../../queries.ts";
import { call } from "../../session/session.ts";
import type { PictureProps } from "../picture.ts";
import { PictureSkeleton } from "../picture-skeleton.tsx";
import { Board, type Moving } from "./board.tsx";
import { TransitionDialog } from "./transition-dialog.tsx";

interface Asked {
  readonly moving: Moving;
  readonly transitions: readonly StageTransition[];
}

/** Nothing has to be asked before it is taken. */
const isPlain = ({ reason, required }: StageTransition): boolean => reason !== "required" && required.length === 0;

export function StageBoard({ picture, field }: { readonly picture: PictureProps; readonly field: SchemaField }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { recordTypeKey, page, isTile } = picture;
  const query = useQuery(stagesQuery(recordTypeKey));
  const [asked, setAsked] = useState<Asked>();
  const take = async (moving: Moving, transition: StageTransition, answers: TransitionAnswers): Promise<void> => {
    setAsked(undefined);
    await queryClient.cancelQueries({ queryKey: ["list", recordTypeKey] });
    const back = moving.show();
    try {
      const alias = page.idColumn.split(".")[0] ?? "";
      await takeTransition(call, recordTypeKey, alias, moving.id, transition, answers);
      notifications.show({ message: t("pictures.moved", { name: moving.name, lane: moving.to.label }) });
    } catch (error) {
      back();
      const message = error instanceof Error ? error.message : String(error);
      notifications.show({ color: "red", title: t("pictures.not_changed"), message });
    }
    await forgetRecords(queryClient, recordTypeKey);
  };
  return (
    <Loaded query={query} skeleton={<PictureSkeleton kind="kanban" isTile={isTile} />}>
      {({ stages, transitions }) => {
        const between = (from: string | null, to: string | null) =>
          transitions.filter((one) => one.from === from && one.to === to);
        const lanes = {
          column_name: field.column_name,
          options: stages.map(({ id, name, color }) => ({ value: id, label: name, color })),
        };
        return (
          <>
            <Board
              picture={picture}
              field={lanes}
              mayMove
              canGo={(from, to) => between(from, to).length > 0}
              onMove={(moving) => {
                const found = between(moving.from, moving.to.value);
                const [only] = found;
                if (only && found.length === 1 && isPlain(only)) void take(moving, only, {});
                else if (only) setAsked({ moving, transitions: found });
              }}
            />
            {asked && (
              <TransitionDialog
                recordTypeKey={recordTypeKey}
                id={asked.moving.id}
                name={asked.moving.name}
                transitions={asked.transitions}
                onTake={(transition, answers) => void take(asked.moving, transition, answers)}
                onClose={() => setAsked(undefined)}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}
