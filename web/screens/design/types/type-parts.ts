// The parts of a record type's design, and where each of its faults stands.
import type { DesignChoices } from "../../../../client/design/design.ts";
import type { TypeDraft } from "./type-draft.ts";

export const typeParts = ["general", "fields", "rules", "connections", "access"] as const;
export type TypePart = (typeof typeParts)[number];

const places: Readonly<Record<string, TypePart>> = {
  field: "fields",
  fields: "fields",
  rules: "rules",
  unique: "rules",
  "unique/indexes": "rules",
  associations: "connections",
  access: "access",
};

export const partOf = (path: string): TypePart => places[path.split(".")[0] ?? ""] ?? "general";

/** What every part is given. */
export interface PartProps {
  readonly draft: TypeDraft;
  readonly change: (draft: TypeDraft) => void;
  readonly errors: ReadonlyMap<string, string>;
  readonly choices: DesignChoices;
  readonly isNew: boolean;
  /** As it is stored; of a new one, as it began. */
  readonly start: TypeDraft;
}
