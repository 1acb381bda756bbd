// Takes the words of a command and the sentence that it was refused with; gives how it is called, where somebody asked for that. Pure.

/** No command has such an option: what it refuses ends with how it is called. */
export function usageAsked(words: readonly string[], refusal: string): string | undefined {
  const at = refusal.indexOf("Usage:");
  return at >= 0 && words.some((word) => word === "--help" || word === "-h") ? refusal.slice(at) : undefined;
}
