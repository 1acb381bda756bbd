// One figure, large, with the others of the view beneath it. One that is about a date is that of the running month, with
// its change against the same days of the month before.
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { isEstimate } from "../../../client/lists/lists.ts";
import { clockAt } from "../../../contract/zones.ts";
import { useFormats, useTimeZone } from "../../fields/formats.ts";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { chartQuery } from "../../queries.ts";
import type { ChartProps } from "../chart-props.ts";
import { ChartSkeleton } from "../chart-skeleton.tsx";
import { spanCondition } from "../dated.ts";
import { useChartData, useMoneyNote } from "../drawing/use-chart-data.ts";
import { EstimateNote } from "../estimate-note.tsx";
import { comparedSpans } from "../spans.ts";
import { FigureChange } from "./figure-change.tsx";
import classes from "./number.module.css";

export function NumberView(props: ChartProps) {
  const timeZone = useTimeZone();
  const { compared, page, schema, recordTypeKey, choice } = props;
  const spans = compared ?? comparedSpans("month", clockAt(new Date(), timeZone).slice(0, 10));
  const whereOf = (span: "now" | "before") =>
    spans && page.chart.date ? spanCondition(schema, page.chart.date, spans[span], timeZone) : undefined;
  const where = compared ? undefined : whereOf("now");
  const asked = useQuery({
    ...chartQuery(recordTypeKey, choice, { q: { where: where ?? {} }, mayEstimate: true }),
    enabled: where !== undefined,
  });
  if (where === undefined) return <Figure {...props} />;
  const before = whereOf("before");
  return (
    <Loaded query={asked} skeleton={<ChartSkeleton kind="number" isTile={props.isTile} />}>
      {(found) => (
        <Figure {...props} page={found} compared={spans && before && { ...spans, where: before }} within={where} />
      )}
    </Loaded>
  );
}

interface FigureProps extends ChartProps {
  /** What the page was narrowed by here. */
  readonly within?: Parameters<ChartProps["recordsHref"]>[0];
}

function Figure(props: FigureProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { compared, within } = props;
  const data = useChartData(props);
  const { measures, drawn, slices } = data;
  const note = useMoneyNote(data);
  const values = slices[0]?.values ?? [];
  const texts = slices[0]?.texts ?? [];
  const main = measures[drawn];
  return (
    <section className={classes.number} data-tile={props.isTile || undefined} aria-label={props.label}>
      <Link to={props.recordsHref(within)} className={classes.link} title={t("charts.show_records")}>
        <strong className={classes.value}>{texts[drawn] ?? main?.text(values[drawn] ?? null) ?? "–"}</strong>
        <span className={classes.label}>
          <span className={classes.name}>{main?.label}</span>
          {compared && (
            <>
              <span className={classes.name}> · </span>
              <span className={classes.span}>{formats.days(compared.now.from, compared.now.to)}</span>
            </>
          )}
        </span>
      </Link>
      <EstimateNote page={props.page} />
      {compared &&
        // An estimate is compared with nothing, but the place for it is there.
        (isEstimate(props.page) ? (
          <p className={classes.change}>&nbsp;</p>
        ) : (
          <FigureChange {...props} compared={compared} now={values[drawn]} />
        ))}
      {note !== undefined && <p className={classes.note}>{note}</p>}
      {measures.length > 1 && (
        <dl className={classes.others}>
          {measures.map(
            (measure, index) =>
              index !== drawn && (
                <div key={measure.header.name}>
                  <dt>{measure.label}</dt>
                  <dd>{texts[index] ?? measure.text(values[index] ?? null)}</dd>
                </div>
              ),
          )}
        </dl>
      )}
    </section>
  );
}
