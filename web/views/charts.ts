// What is drawn on axes and in circles, fetched as one: whoever looks at one of them is about to look at another.
export { BarView } from "./bar/bar-view.tsx";
export { FunnelView } from "./funnel/funnel-view.tsx";
export { GaugeView } from "./gauge/gauge-view.tsx";
export { LineView } from "./line/line-view.tsx";
export { PieView } from "./pie/pie-view.tsx";
