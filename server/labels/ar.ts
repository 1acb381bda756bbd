// The labels that ship, in Arabic.
export const arabic: Readonly<Record<string, string>> = {};
