// How a saved view draws its table beyond its columns: the values that its query may name.

/** How tall rows are. */
export const rowHeights = ["compact", "normal", "tall"] as const;
export type RowHeight = (typeof rowHeights)[number];

/** What a rule colors: the whole row, or the cell of the column that it compares. */
export const colorTargets = ["row", "cell"] as const;
export type ColorTarget = (typeof colorTargets)[number];

/** Names of the palette. */
export const ruleColors = ["red", "orange", "yellow", "green", "teal", "blue", "violet", "gray"] as const;
export type RuleColor = (typeof ruleColors)[number];

/** More than these, and nobody reads them. */
export const MOST_COLOR_RULES = 10;
