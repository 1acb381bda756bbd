// The panels of a record's page, in the order in which they stand: a line per panel. Each is given the same and draws
// itself; what is not needed at once is fetched when it is first shown.
import { FormPanel } from "./form-panel.tsx";
import type { PlainPanel, SidePanel } from "./panel.ts";

export const recordPanels: readonly (PlainPanel | SidePanel)[] = [{ key: "form", place: "main", Component: FormPanel }];
