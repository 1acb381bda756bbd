// What is wrong with a design, and where in it. Knows neither designs nor languages.
import { type Message, say } from "../../contract/messages.ts";

export interface DesignFault {
  /** A path such as `fields.name.type`; empty where the fault is of the whole. */
  readonly at: string;
  readonly wrong: Message;
}

/** `<place>: <what is wrong>`. */
export const placed = ({ at, wrong }: DesignFault): Message =>
  at === "" ? wrong : say("in_key", { key: at, reason: wrong });

/** The same of a design that is the value of a field. */
export const inDefinition = ({ at, wrong }: DesignFault): Message =>
  at === "" ? say("whole_design_fault", { reason: wrong }) : say("design_fault", { path: at, reason: wrong });
