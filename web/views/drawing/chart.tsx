// A drawing by ECharts in the room that it is given: redrawn when its option or its room changes, gone when it goes.
import { useEffect, useRef, useState } from "react";
import classes from "./drawing.module.css";
import { type ECharts, type EChartsCoreOption, init } from "./echarts.ts";
import { inTurn } from "./in-turn.ts";

export interface Room {
  readonly width: number;
  readonly height: number;
}

export interface Pick {
  readonly seriesIndex: number;
  readonly dataIndex: number;
  readonly name: string;
}

interface ChartProps {
  /** Read out in place of the drawing. */
  readonly description: string;
  readonly optionOf: (room: Room) => EChartsCoreOption;
  /** Heights; what needs more than the room has is scrolled. */
  readonly least?: number | undefined;
  readonly most?: number | undefined;
  readonly onPick: ((pick: Pick) => void) | undefined;
}

export function Chart({ description, optionOf, least, most, onPick }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState<Room>();
  const chart = useRef<ECharts>(undefined);
  const pick = useRef(onPick);
  pick.current = onPick;

  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const measure = (): void => {
      const { clientWidth: width, clientHeight: tall } = element;
      if (width === 0 || tall === 0) return;
      // The same room is no reason to draw again.
      setRoom((before) => (before?.width === width && before.height === tall ? before : { width, height: tall }));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => {
      observer.disconnect();
      chart.current?.dispose();
      chart.current = undefined;
    };
  }, []);

  useEffect(() => {
    if (room === undefined) return;
    return inTurn(() => {
      if (place.current === null) return;
      if (chart.current === undefined) {
        chart.current = init(place.current, null, { renderer: "svg", ...room });
        chart.current.on("click", ({ seriesIndex = 0, dataIndex, name }) =>
          pick.current?.({ seriesIndex, dataIndex, name }),
        );
      } else chart.current.resize({ ...room, silent: true });
      chart.current.setOption(optionOf(room), { notMerge: true });
    });
  }, [optionOf, room]);

  return (
    <div
      ref={place}
      role="img"
      aria-label={description}
      className={classes.chart}
      style={{ minHeight: least, maxHeight: most }}
    />
  );
}
