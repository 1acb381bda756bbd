// A position in the feed of changes, as text. It says whose feed it is and what its reader could see, so a position from another
// organization, from before a restore, or from before the reader's access changed is recognized.
export interface FeedCursor {
  readonly organizationId: string;
  readonly era: string;
  readonly position: bigint;
  readonly rights: string;
}

export const cursorText = ({ organizationId, era, position, rights }: FeedCursor): string =>
  `${organizationId}.${era}.${position}.${rights}`;

export function readCursor(text: string): FeedCursor | undefined {
  const found = /^(\d{1,18})\.([\da-f]{12})\.(\d{1,18})\.([\da-f]{12})$/.exec(text);
  if (!found) return undefined;
  const [, organizationId = "", era = "", position = "0", rights = ""] = found;
  return { organizationId, era, position: BigInt(position), rights };
}
