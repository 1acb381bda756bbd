// The parts of ECharts that the pictures are made of, and no more: this file is fetched with the first of them.
import { BarChart, GaugeChart, LineChart, MapChart, PieChart, ScatterChart } from "echarts/charts";
import { GeoComponent, GridComponent, LegendComponent, TooltipComponent, VisualMapComponent } from "echarts/components";
import { use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([
  BarChart,
  GaugeChart,
  LineChart,
  MapChart,
  PieChart,
  ScatterChart,
  GeoComponent,
  GridComponent,
  LegendComponent,
  TooltipComponent,
  VisualMapComponent,
  SVGRenderer,
]);

export type { ECharts, EChartsCoreOption } from "echarts/core";
export { init, registerMap } from "echarts/core";
