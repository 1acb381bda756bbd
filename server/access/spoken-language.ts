// Takes the languages of a request; returns the one for its answer, and the caller with that language. The reader's choice
// in the current program comes first, then the profile, the Accept-Language header and the organization's language.
import { acceptedLanguage, type Language, languageOf } from "../../contract/texts/write.ts";
import type { Caller } from "./caller.ts";

export interface AskedLanguages {
  /** X-Language: what the reader has chosen in a program that speaks more than one. */
  readonly chosen: string | undefined;
  /** Accept-Language. */
  readonly accepted: string | undefined;
}

/** Of somebody who is not known (yet). */
export const strangersLanguage = ({ chosen, accepted }: AskedLanguages): Language =>
  languageOf(chosen) ?? acceptedLanguage(accepted) ?? "en";

const speakers = new WeakMap<Caller, Map<Language, Caller>>();

/** The same object for the same caller and language: what is kept in memory is kept by it. */
export function speaking(caller: Caller, { chosen, accepted }: AskedLanguages): Caller {
  const language = languageOf(chosen) ?? caller.ownLanguage ?? acceptedLanguage(accepted) ?? caller.language;
  if (language === caller.language) return caller;
  const known = speakers.get(caller) ?? new Map<Language, Caller>();
  const speaker = known.get(language) ?? { ...caller, language };
  speakers.set(caller, known.set(language, speaker));
  return speaker;
}
