// Instants as the wire spells them: UTC, `YYYY-MM-DD HH:MM:SS`.
export const instant = (date: Date = new Date()): string => date.toISOString().slice(0, 19).replace("T", " ");

export const secondsFromNow = (seconds: number): string => instant(new Date(Date.now() + seconds * 1000));
