// What the administrator was told: remarks that mention them or are about their records, and quotes that wait for them. The
// newest are still unread.
import { DAY, HOUR, instantText } from "./calendar.ts";
import type { Remark } from "./comment-rows.ts";
import { at } from "./random.ts";
import { type DemoBatch, type DemoRow, toRow } from "./row.ts";
import { type Colleague, staff } from "./staff.ts";
import type { Company, Deal, Lead, Story } from "./story.ts";

const SHOWN = 14;
const UNREAD = 5;

interface Told {
  readonly kind: string;
  readonly text: string;
  readonly created: number;
  readonly author: number;
  readonly type: string;
  readonly about: string;
  readonly name: string;
}

const fullName = ({ first, last }: Colleague): string => `${first} ${last}`;
const nameOf = (user: number): string => fullName(at(staff, user - 1));

export function notificationBatch(
  { calendar }: Story,
  remarks: readonly Remark[],
  quotes: readonly DemoRow[],
): DemoBatch {
  const told = [...remarks.flatMap(ofRemark), ...quotes.flatMap(ofQuote)]
    .filter(({ created }) => created > calendar.end - 60 * DAY)
    .sort((a, b) => a.created - b.created)
    .slice(-SHOWN);
  const rows = told.map(({ kind, text, created, author, type, about, name }, index) =>
    toRow(
      { id: index + 1, created, author, owner: author, group: null, mine: true },
      {
        kind,
        text,
        related_type: type,
        related_id: about,
        related_name: name,
        read_at: index < told.length - UNREAD ? instantText(Math.min(created + 3 * HOUR, calendar.end - 1)) : null,
      },
    ),
  );
  return { type: "core/notifications", rows };
}

function ofRemark({ body, about, author, created, type }: Remark): Told[] {
  const mentioned = body.includes("{{administrator}}");
  if (!mentioned && !about.mine) return [];
  const name = recordName(about);
  const did = mentioned ? "mentioned you on" : "commented on";
  const text = `${nameOf(author)} ${did} ${name}: ${body}`;
  return [{ kind: mentioned ? "mention" : "comment", text, created, author, type, about: String(about.id), name }];
}

const stages: Readonly<Record<string, string>> = {
  approval: "Waiting for approval",
  large_approval: "Waiting for both approvals",
};

function ofQuote({ id, way, modified, name, owned_by: owner }: DemoRow): Told[] {
  const stage = typeof way === "string" ? stages[way.split(" ").at(-1) ?? ""] : undefined;
  if (stage === undefined) return [];
  return [
    {
      kind: "workflow",
      text: `Quote waits for you: ${stage}`,
      created: Date.parse(`${modified.replace(" ", "T")}Z`),
      author: Number(owner),
      type: "crm/quotes",
      about: id,
      name: String(name),
    },
  ];
}

function recordName(about: Lead | Company | Deal): string {
  if ("subject" in about) return `${about.company.organization.name}: ${about.subject}`;
  return "person" in about ? `${about.person.first} ${about.person.last}` : about.organization.name;
}
