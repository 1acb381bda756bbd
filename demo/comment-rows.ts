// What colleagues wrote about leads, companies and deals while they worked on them; some remarks are answered, and the
// last few ask the administrator for something.
import type { RecordTypeKey } from "../server/metadata/record-type.ts";
import { DAY, HOUR } from "./calendar.ts";
import { at, randomFrom } from "./random.ts";
import { type DemoBatch, type DemoRow, toRow } from "./row.ts";
import { sellers, staff } from "./staff.ts";
import type { Company, Deal, Lead, Story } from "./story.ts";
import { answers, remarks, requests } from "./vocabulary.ts";

export interface Remark {
  id: number;
  readonly created: number;
  readonly author: number;
  readonly owner: number;
  readonly group: number;
  readonly body: string;
  readonly type: RecordTypeKey;
  readonly about: Lead | Company | Deal;
  readonly answerTo: Remark | undefined;
}

export function tellRemarks({ leads, companies, deals, calendar }: Story): readonly Remark[] {
  const random = randomFrom("comments");
  const written: Remark[] = [];
  const write = (type: RecordTypeKey, about: Remark["about"], author: number, answerTo?: Remark) => {
    const since = answerTo?.created ?? about.created;
    const created = Math.floor(
      Math.min(calendar.end - HOUR / 2, since + random.logNormal(answerTo ? 6 : 60, 1) * HOUR),
    );
    const body = random.pick(answerTo ? answers : remarks);
    const remark = { id: 0, created: Math.max(since, created), author, owner: author, group: about.group, body };
    written.push({ ...remark, type, about, answerTo });
    return at(written, written.length - 1);
  };
  const discuss = (type: RecordTypeKey, records: readonly Remark["about"][], share: number) => {
    for (const record of records) {
      while (!record.deleted && random.chance(share)) {
        const remark = write(type, record, record.owner);
        if (random.chance(0.3)) write(type, record, colleagueOf(record.owner), remark);
      }
    }
  };
  const colleagueOf = (user: number) => {
    const team = Object.values(sellers).find((members) => members.some(({ id }) => id === user)) ?? [];
    const others = team.filter(({ id }) => id !== user);
    return others.length > 0 ? random.pick(others).id : (at(staff, user - 1).manager ?? user);
  };
  discuss("crm/leads", leads, 0.06);
  discuss("crm/companies", companies, 0.15);
  discuss("crm/opportunities", deals, 0.3);

  const largest = deals
    .filter(({ stage, deleted, mine }) => stage === "negotiation" && deleted !== true && mine !== true)
    .sort((a, b) => b.amount - a.amount);
  for (const [index, body] of requests.entries()) {
    const about = largest[index];
    if (about === undefined) break;
    const { owner, group } = about;
    const created = Math.max(about.created, Math.floor(calendar.end - (index * 1.3 + 0.3) * DAY));
    written.push({
      id: 0,
      created,
      author: owner,
      owner,
      group,
      body,
      type: "crm/opportunities",
      about,
      answerTo: undefined,
    });
  }

  written.sort((a, b) => a.created - b.created);
  for (const [index, remark] of written.entries()) remark.id = index + 1;
  return written;
}

export function commentBatch(told: readonly Remark[]): DemoBatch {
  const rows: DemoRow[] = told.map((remark) =>
    toRow(remark, {
      related_type: remark.type,
      related_id: String(remark.about.id),
      body: remark.body,
      parent_id: remark.answerTo === undefined ? null : String(remark.answerTo.id),
    }),
  );
  return { type: "core/comments", rows };
}
