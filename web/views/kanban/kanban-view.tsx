// A board by a choice, where moving a card is an edit of its record, or by the stages of a workflow.
import { IconLayoutKanban } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SchemaField } from "../../../client/design/record-types.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { stagesQuery } from "../../queries.ts";
import type { ChartProps } from "../chart-props.ts";
import { ChartSkeleton } from "../chart-skeleton.tsx";
import { STAGE_FIELD } from "../show-as-draft.ts";
import { useChangeRecord } from "../use-change-record.ts";
import { Board, type Moving } from "./board.tsx";
import { isOtherLane } from "./lane-query.ts";
import { StageBoard } from "./stage-board.tsx";

export function KanbanView(props: ChartProps) {
  const { t } = useTranslation();
  const { schema, page, isTile, recordTypeKey } = props;
  const field = schema.fields.find(({ column_name }) => column_name === page.chart.lanes);
  const query = useQuery(stagesQuery(recordTypeKey));
  if (field === undefined) {
    const text = t("charts.no_lanes_lead");
    return <EmptyState icon={IconLayoutKanban} title={t("charts.no_lanes")} text={text} small={isTile} />;
  }
  return (
    <Loaded query={query} skeleton={<ChartSkeleton kind="kanban" isTile={isTile} />}>
      {(workflow) =>
        field.name === STAGE_FIELD || field.name === workflow.stage_field ? (
          <StageBoard picture={props} field={field} workflow={workflow} />
        ) : (
          <ChoiceBoard picture={props} field={field} />
        )
      }
    </Loaded>
  );
}

function ChoiceBoard({ picture, field }: { readonly picture: ChartProps; readonly field: SchemaField }) {
  const { t } = useTranslation();
  const change = useChangeRecord(picture.recordTypeKey, picture.page.idColumn.split(".")[0] ?? "");
  const move = ({ id, name, revision, from, to, show, refuse }: Moving): void =>
    void change({
      id,
      revision,
      values: { [field.name]: to.value },
      before: { [field.name]: from },
      said: t("charts.moved", { name, lane: to.label }),
      isElsewhere: isOtherLane(from, to.value),
      show,
      refuse,
    });
  return (
    <Board
      picture={picture}
      field={field}
      usesView={false}
      whyNot={(card) => {
        if (field.permission !== 2) return t("charts.no_field_right", { field: field.label });
        return card.is_edit === true ? undefined : t("charts.no_record_right");
      }}
      onMove={move}
      presetOf={({ value }) =>
        field.permission === 2 ? (value === null ? {} : { [field.name]: { value } }) : undefined
      }
    />
  );
}
