// What every business record of the CRM has attached to it: contact points, files, comments.
import type { AssociationDefinition } from "../../metadata/record-type.ts";

export const contactPoints: readonly AssociationDefinition[] = [
  { kind: "has-many-polymorphic", name: "addresses", type: "core/addresses", owned: true },
  {
    kind: "has-many-polymorphic",
    name: "email_addresses",
    label: "Email addresses",
    type: "core/email_addresses",
    owned: true,
  },
  { kind: "has-many-polymorphic", name: "phone_numbers", type: "core/phone_numbers", owned: true },
];

export const discussion: readonly AssociationDefinition[] = [
  { kind: "has-many-polymorphic", name: "attachments", type: "core/attachments", owned: true },
  { kind: "has-many-polymorphic", name: "comments", type: "core/comments", owned: true },
];
