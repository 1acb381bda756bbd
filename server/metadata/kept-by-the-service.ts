// Why nobody adds, changes or removes records that only the service writes; and what a type's refusal says, in words.
import { type Message, type MessageCode, say } from "../../contract/messages.ts";
import { english } from "../../contract/texts/en/index.ts";
import type { Refusals } from "./record-type.ts";

/** Built-in types name a sentence of the catalog; a designer writes one. */
export const refusalMessage = (text: string): Message =>
  text.startsWith("refuses_") && Object.hasOwn(english, text)
    ? { code: text as MessageCode, params: {} } // just looked up
    : say("own_words", { text });

export const keptByTheService = "refuses_kept_by_service";

export const onlyRead: Refusals = { add: keptByTheService, edit: keptByTheService, delete: keptByTheService };
