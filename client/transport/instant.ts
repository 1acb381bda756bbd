// Instants of the wire, UTC `YYYY-MM-DD HH:MM:SS`, to and from Date.

/** Takes wire text (or ISO 8601); undefined for null and for what is not an instant. */
export function readInstant(text: string | null | undefined): Date | undefined {
  if (text === null || text === undefined || text === "") return undefined;
  const wire = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})$/.exec(text);
  const date = new Date(wire ? `${wire[1]}T${wire[2]}Z` : text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export function writeInstant(date: Date): string {
  return date.toISOString().slice(0, 19).replace("T", " ");
}
