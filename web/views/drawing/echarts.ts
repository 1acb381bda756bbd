// The parts of ECharts that charts are made of, and no more: this file is fetched with the first of them. Maps add their own.
import { BarChart, GaugeChart, LineChart, PieChart } from "echarts/charts";
import { GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([BarChart, GaugeChart, LineChart, PieChart, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

export type { ECharts, EChartsCoreOption } from "echarts/core";
export { init } from "echarts/core";
