// A board in little room: how many cards each lane has.
import { Link } from "@tanstack/react-router";
import type { Condition } from "../../../client/lists/list-draft.ts";
import { useFormats } from "../../fields/formats.ts";
import { ChoiceMark } from "../../fields/showing/choice-mark.tsx";
import classes from "./kanban.module.css";
import { type Lane, laneCondition } from "./lanes.ts";

interface BoardTileProps {
  readonly lanes: readonly Lane[];
  readonly column: string;
  readonly recordsHref: (condition: Condition) => string;
}

export function BoardTile({ lanes, column, recordsHref }: BoardTileProps) {
  const formats = useFormats();
  return (
    <ul className={classes.tile}>
      {lanes.map(({ value, label, color, count }) => (
        <li key={value ?? ""}>
          <Link to={recordsHref(laneCondition(column, value))}>
            <ChoiceMark label={label} color={color} />
            <b>{formats.count(count)}</b>
          </Link>
        </li>
      ))}
    </ul>
  );
}
