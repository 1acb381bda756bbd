// The tabs of the page about a record type, by the names that its address uses.
export const aboutTabs = ["fields", "connections", "access", "design"] as const;
export type AboutTab = (typeof aboutTabs)[number];
