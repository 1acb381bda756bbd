// Says in the list of shortcuts which keys lead through the lines of a design; what they do is line-keys.ts.
import { useTranslation } from "react-i18next";
import { useCommands } from "../../parts/commands/commands.ts";

export function useLineCommands(): void {
  const { t } = useTranslation();
  useCommands([{ id: "design-lines", label: t("move.lines"), group: "record", keys: "Upright" }]);
}
