// Takes the text of a definition that was sent; gives its content, or refuses it: not JSON, or with texts that no table keeps.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { parseSentJson } from "../../request/json/sent-json.ts";
import { checkText } from "../../request/tree.ts";

export function sentDefinition(text: string | undefined): unknown {
  const definition = parseSentJson(text ?? "", (key, value: unknown) => {
    if (typeof value === "string") checkText(value, `definition.${key}`);
    return value;
  });
  if (definition !== undefined) return definition;
  throw new Failure("malformed_parameter", { with: { name: "definition", reason: say("must_be_definition") } });
}
