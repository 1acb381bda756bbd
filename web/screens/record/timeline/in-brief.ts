// What a changed value looks like in one line of the activity.

/** A whole text would push everything else out of sight. */
const MOST_SHOWN = 240;
/** Reading more than this would be felt. */
const MOST_READ = 200_000;

export const inBrief = (text: string | null): string | null =>
  text !== null && text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;

/** The beginning of a form, a workflow or a policy tells nobody anything. A text in brackets is no such document. */
export function isDocument(text: string | null): boolean {
  if (text === null || text.length <= MOST_SHOWN || !/^[[{]/u.test(text)) return false;
  if (text.length > MOST_READ) return /^(?:\{"|\[[[{"])/u.test(text);
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
