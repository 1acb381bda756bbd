// A workflow as a picture: its stages from start to end, ways on as arcs above, ways back as arcs below. For reading; what
// it shows is in the list beside it, too.
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { WorkflowDefinition } from "../../../../contract/workflow.ts";
import { colorOf } from "../../../fields/design/color-choice.tsx";
import { ScrollRegion } from "../../../parts/layout/scroll-region.tsx";
import classes from "./workflow.module.css";
import { fromOf } from "./workflow-draft.ts";

const [WIDTH, HEIGHT, GAP] = [148, 46, 56];
const LANE = 26;

interface Arc {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly label: string;
  readonly kind: string;
  /** How far from the stages: arcs that would cross stand apart. */
  readonly lane: number;
}

/** The first lane in which nothing stands in the way. */
function arcsOf({ stages, transitions }: WorkflowDefinition): readonly Arc[] {
  const place = new Map(stages.map((stage, index) => [stage.key, index]));
  const spans = transitions
    .flatMap((one) =>
      fromOf(one).map((start) => ({
        key: `${one.name} ${start}`,
        from: place.get(start) ?? -1,
        to: place.get(one.to) ?? -1,
        label: one.label,
        kind: one.kind ?? "move",
      })),
    )
    .filter(({ from, to }) => from >= 0 && to >= 0 && from !== to)
    .sort((one, other) => Math.abs(one.to - one.from) - Math.abs(other.to - other.from));
  const placed: Arc[] = [];
  for (const span of spans) {
    const [low, high] = [Math.min(span.from, span.to), Math.max(span.from, span.to)];
    const isTaken = (lane: number): boolean =>
      placed.some(
        (one) =>
          one.lane === lane &&
          one.to > one.from === span.to > span.from &&
          Math.min(one.from, one.to) < high &&
          low < Math.max(one.from, one.to),
      );
    let lane = 0;
    while (isTaken(lane)) lane += 1;
    placed.push({ ...span, lane });
  }
  return placed;
}

/** As many letters as a stage has room for beside its color. */
const MOST_LETTERS = 16;

const cut = (text: string): string => (text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS - 1)}…` : text);

/** A long name in two lines, parted at the space nearest to its middle. */
function linesOf(name: string): readonly string[] {
  if (name.length <= MOST_LETTERS) return [name];
  const spaces = [...name].flatMap((letter, at) => (letter === " " ? [at] : []));
  const far = (at: number): number => Math.abs(at - name.length / 2);
  const [at] = spaces.sort((one, other) => far(one) - far(other));
  return at === undefined ? [cut(name)] : [cut(name.slice(0, at)), cut(name.slice(at + 1))];
}

export function WorkflowDiagram({ workflow }: { readonly workflow: WorkflowDefinition }) {
  const { t } = useTranslation();
  const id = useId();
  const arcs = arcsOf(workflow);
  const lanes = (isForward: boolean): number =>
    Math.max(0, ...arcs.filter((arc) => arc.to > arc.from === isForward).map(({ lane }) => lane + 1));
  const top = lanes(true) * LANE + 18;
  const bottom = lanes(false) * LANE + 18;
  const width = workflow.stages.length * (WIDTH + GAP) - GAP + 8;
  const height = top + HEIGHT + bottom;
  const middle = (index: number): number => 4 + index * (WIDTH + GAP) + WIDTH / 2;
  const words = workflow.stages
    .map((stage) => {
      const out = workflow.transitions.filter((one) => fromOf(one).includes(stage.key));
      const nameOf = (key: string) => workflow.stages.find((one) => one.key === key)?.name ?? key;
      const ways = out.map((one) => t("workflows.way", { label: one.label, stage: nameOf(one.to) })).join(", ");
      return ways === "" ? stage.name : `${stage.name}: ${ways}`;
    })
    .join("; ");
  const drawn = arcs.map(({ from, to, lane, ...arc }) => {
    const isForward = to > from;
    const edge = isForward ? top : top + HEIGHT;
    const far = isForward ? edge - 14 - lane * LANE : edge + 14 + lane * LANE;
    // Out on one side of the middle, in on the other: arcs of two stages do not meet.
    const shift = isForward ? 22 : -22;
    const [start, end] = [middle(from) + shift, middle(to) - shift];
    const bend = isForward ? 8 : -8;
    const turn = end > start ? 8 : -8;
    const path = `M${start} ${edge} V${far + bend} Q${start} ${far} ${start + turn} ${far} H${end - turn} Q${end} ${far} ${end} ${far + bend} V${edge + (isForward ? -2 : 2)}`;
    return { ...arc, path, x: (start + end) / 2, y: far + 4 };
  });
  return (
    <ScrollRegion label={t("workflows.picture")} dir="ltr">
      {/* Read from left to right in every language, like the lines of a diagram. */}
      <svg
        className={classes.picture}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-labelledby={`${id}-title`}
      >
        <title id={`${id}-title`}>{words}</title>
        <defs>
          <marker id={`${id}-tip`} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" className={classes.tip} />
          </marker>
        </defs>
        {drawn.map(({ key, kind, path }) => (
          <g key={key} data-kind={kind} className={classes.arc}>
            <path d={path} markerEnd={`url(#${id}-tip)`} />
          </g>
        ))}
        {/* After all the lines: none goes through a word. */}
        {drawn.map(({ key, kind, label, x, y }) => (
          <g key={key} data-kind={kind} className={classes.arc}>
            <text x={x} y={y} textAnchor="middle">
              {label}
            </text>
          </g>
        ))}
        {workflow.stages.map((stage, index) => (
          <g key={stage.key} className={classes.stage} data-kind={stage.kind}>
            <rect x={middle(index) - WIDTH / 2} y={top} width={WIDTH} height={HEIGHT} rx={stage.kind ? 23 : 8} />
            {stage.color !== undefined && (
              <circle cx={middle(index) - WIDTH / 2 + 18} cy={top + HEIGHT / 2} r={5} fill={colorOf(stage.color)} />
            )}
            {linesOf(stage.name).map((line, at, { length }) => (
              <text
                key={line}
                x={middle(index) + (stage.color === undefined ? 0 : 8)}
                y={top + HEIGHT / 2 + 4 + (at - (length - 1) / 2) * 15}
                textAnchor="middle"
              >
                {line}
              </text>
            ))}
          </g>
        ))}
      </svg>
    </ScrollRegion>
  );
}
