// Takes what a save says of a row; says it for who imports a file: dates in the order in which the file writes them, and nothing
// about how a save is sent anew. Pure.
import { type Message, say } from "../../contract/messages.ts";
import type { CellHabits } from "./mapping/cells.ts";

const examples: Readonly<Record<CellHabits["dateOrder"], string>> = {
  dmy: "28/02/2026",
  mdy: "02/28/2026",
  ymd: "2026/02/28",
};

export function reword(said: Message, dateOrder: CellHabits["dateOrder"]): Message {
  const { code, params } = said;
  const example = examples[dateOrder];
  if (code === "bad_date") return say("import_bad_date", { field: params.field ?? "", example });
  if (code === "bad_date_time") return say("import_bad_date_time", { field: params.field ?? "", example });
  if (code === "possible_duplicate") return say("import_duplicate", { names: params.names ?? [] });
  return said;
}
