// Takes a record; returns what happened to it as one stream, newest first: comments with replies, changes, stages, files. Each
// kind is read with the access of its own source, so nothing appears here that the caller could not read there.
import type { Caller } from "../../access/caller.ts";
import { fieldMask } from "../../access/field-mask.ts";
import { mayOperate } from "../../access/matrix.ts";
import { may, mayRead } from "../../access/visibility.ts";
import { type Sql, sql } from "../../database/sql.ts";
import { filePartNames } from "../../fields/columns/stored-file.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { requireType, type Snapshot } from "../../metadata/snapshot.ts";
import { type Reader, readDisplayTexts } from "../read/display-texts.ts";
import { presentRevisions, requireReadable } from "./read-history.ts";
import { changesOfEntry } from "./revisions.ts";
import { comparePlaces, isAfter, type TimelineKind, type TimelinePlace } from "./timeline-place.ts";

const USERS = "access_controls/users";
const NODES = "core/workflow_nodes";

/** Of one thread, and how many bytes they have together; how many there are is said. */
const MOST_ANSWERS = 50;
const MOST_BYTES = 150_000;

interface Asked {
  readonly reader: Reader;
  readonly snapshot: Snapshot;
  readonly type: RecordType;
  readonly caller: Caller;
  readonly id: string;
  readonly kinds: ReadonlySet<TimelineKind>;
  readonly before: TimelinePlace | undefined;
  /** At most so many of each kind. */
  readonly most: number;
}

export interface TimelineEntry extends TimelinePlace {
  readonly [name: string]: unknown;
}

export interface TimelinePage {
  readonly entries: readonly TimelineEntry[];
  /** Where the next page begins; undefined after the last one. */
  readonly next: TimelinePlace | undefined;
}

const sources: Readonly<Record<TimelineKind, (asked: Asked) => Promise<readonly TimelineEntry[]>>> = {
  comment: readThreads,
  change: readRevisions,
  stage: readSteps,
  file: readFiles,
};

export async function readTimeline(
  { reader, snapshot, type, caller }: Pick<Asked, "reader" | "snapshot" | "type" | "caller">,
  sentId: string,
  page: Pick<Asked, "kinds" | "before"> & { readonly limit: number },
): Promise<TimelinePage> {
  const id = await requireReadable(reader, type, caller, sentId);
  const asked = { reader, snapshot, type, caller, id, ...page, most: page.limit + 1 };
  const found = await Promise.all([...page.kinds].map((kind) => sources[kind](asked)));
  const inOrder = found.flat().sort(comparePlaces);
  const entries = inOrder.slice(0, page.limit);
  return { entries, next: inOrder.length > page.limit ? entries.at(-1) : undefined };
}

/** Rows about the record, of a table whose rows name what they are about. */
const about = ({ caller, type, id }: Asked, alias: Sql): Sql =>
  sql`${alias}.organization_id = ${caller.organizationId}::bigint and ${alias}.related_type = ${type.key}
    and ${alias}.related_id = ${id} and ${alias}.deleted = 0`;

/** The type of what is attached to the record, where it exists for the caller. */
function attached({ snapshot, caller }: Asked, key: string, ...fields: readonly string[]): RecordType | undefined {
  const type = requireType(snapshot, key);
  const { visible } = fieldMask(type, caller);
  return mayOperate(caller, type, "index") && fields.every((name) => visible.has(name)) ? type : undefined;
}

const namesOf = ({ reader, snapshot, caller }: Asked, ids: ReadonlyMap<string, ReadonlySet<string>>) =>
  readDisplayTexts(
    async (statement) => (await reader.db.run(statement)).rows,
    snapshot,
    caller,
    [...ids.keys()].map((key) => requireType(snapshot, key)),
    ids,
  );

const idsAt = (rows: readonly (readonly (string | null)[])[], ...columns: readonly number[]): Set<string> =>
  new Set(rows.flatMap((row) => columns.flatMap((column) => row[column] ?? [])));

/** A thread stands where its newest comment does. The comment that began it may be gone, or not for the caller to read. */
async function readThreads(asked: Asked): Promise<TimelineEntry[]> {
  const { reader, caller, before, most } = asked;
  const comments = attached(asked, "core/comments", "body", "created");
  if (!comments) return [];
  const { visible } = fieldMask(comments, caller);
  const threads = await reader.run(sql`
    with recursive said as (
      select c.id, c.parent_id, c.created, octet_length(c.body) as size from core__comments c
      where ${about(asked, sql`c`)} and ${mayRead(caller, comments, "c", "few")}
    ), thread as (
      select s.id, coalesce(s.parent_id, s.id) as root, s.created, s.size from said s
      where s.parent_id is null or not exists (select 1 from said p where p.id = s.parent_id)
      union all
      select s.id, t.root, s.created, s.size from said s join thread t on s.parent_id = t.id
    ), weighed as (
      select *, sum(size) filter (where id <> root) over (partition by root order by id desc) as bytes from thread
    ), latest as (
      select root, max(created) as at, count(*) filter (where id <> root) as answers,
        (array_agg(id order by id desc) filter (where id <> root and bytes <= ${MOST_BYTES}::bigint))[1:${MOST_ANSWERS}::integer] as newest
      from weighed group by root
    )
    select root::text, at::text, answers::text, array_to_string(newest, ' ') from latest
    where ${isAfter(before, "comment", sql`at`, sql`root`)}
    order by latest.at desc, latest.root desc limit ${most}::bigint`);
  const wanted = [...new Set(threads.flatMap(([root, , , newest]) => [root ?? "", ...(newest ?? "").split(" ")]))];
  const rows = await reader.run(sql`
    select c.id::text, c.body, c.parent_id::text, c.created::text, c.modified::text, c.created_by::text,
      ${may("delete", caller, comments, "c", "few")}::integer::text
    from core__comments c
    where ${about(asked, sql`c`)} and ${mayRead(caller, comments, "c", "few")}
      and c.id = any(${wanted.filter(Boolean)}::bigint[])
    order by c.id`);
  const names = await namesOf(asked, new Map([[USERS, idsAt(rows, 5)]]));
  const said = new Map(
    rows.map(([id = null, body, parent, created, modified, by = null, isDeletable]) => [
      id ?? "",
      {
        id,
        body,
        parent_id: visible.has("parent_id") ? parent : null,
        created,
        modified: visible.has("modified") ? modified : null,
        ...author(visible, by, names.of(USERS, by)),
        is_deletable: isDeletable === "1" ? 1 : 0,
      },
    ]),
  );
  return threads.map(([root, at, answers, newest]) => ({
    kind: "comment",
    id: root ?? "",
    at: at ?? "",
    comment: said.get(root ?? "") ?? null,
    answers: (newest ?? "")
      .split(" ")
      .reverse()
      .flatMap((id) => said.get(id) ?? []),
    answer_count: Number(answers),
  }));
}

/** A move stands with the revision that it made, where both are asked for. */
const madeBy = sql`r.organization_id = s.organization_id and r.related_type = s.related_type and r.related_id = s.related_id
  and r.deleted = 0 and r.changes -> 'current_stage' ->> 'to' = s.to_stage::text
  and (r.number = s.made_revision or (s.made_revision is null and r.created_by is not distinct from s.created_by
    and r.created between s.created - interval '2 seconds' and s.created + interval '2 seconds'))`;

const seesStages = ({ type, caller }: Asked): boolean => fieldMask(type, caller).visible.has("current_stage");

async function readRevisions(asked: Asked): Promise<TimelineEntry[]> {
  const { reader, snapshot, type, caller, kinds, before, most } = asked;
  const withSteps = kinds.has("stage") && seesStages(asked);
  const rows = await reader.run(sql`
    select r.number::text, r.operation, r.created::text, r.created_by::text, r.job_id::text, ${changesOfEntry(type, "r")},
      s.id::text, s.step, s.kind, s.label, s.from_stage::text, s.to_stage::text, s.comment
    from core__revisions r
    left join lateral (
      select s.* from core__stage_log s where ${about(asked, sql`s`)} and ${withSteps}::boolean and ${madeBy}
      order by s.id desc limit 1
    ) s on true
    where ${about(asked, sql`r`)} and ${isAfter(before, "change", sql`r.created`, sql`r.number`)}
    order by r.created desc, r.number desc limit ${most}::bigint`);
  const revisions = await presentRevisions(reader, snapshot, type, caller, rows);
  const nodes = idsAt(rows, 10, 11);
  const names = nodes.size === 0 ? undefined : await namesOf(asked, new Map([[NODES, nodes]]));
  return revisions.map((revision, index) => {
    const [stepId, step, stepKind, label, from = null, to = null, comment] = rows[index]?.slice(6) ?? [];
    const moved =
      stepId == null || !names
        ? null
        : {
            id: stepId,
            step,
            kind: stepKind,
            label: label && snapshot.words(label),
            from,
            __from: stageName(snapshot, names.of(NODES, from)),
            to,
            __to: stageName(snapshot, names.of(NODES, to)),
            comment,
          };
    return { kind: "change", id: revision.revision, at: revision.created, ...revision, step: moved };
  });
}

async function readSteps(asked: Asked): Promise<TimelineEntry[]> {
  const { reader, snapshot, kinds, before, most } = asked;
  if (!seesStages(asked)) return [];
  const isTold = kinds.has("change")
    ? sql`exists (select 1 from core__revisions r where ${about(asked, sql`r`)} and ${madeBy})`
    : sql`false`;
  const rows = await reader.run(sql`
    select s.id::text, s.created::text, s.created_by::text, s.step, s.kind, s.label, s.from_stage::text, s.to_stage::text, s.comment
    from core__stage_log s
    where ${about(asked, sql`s`)} and not ${isTold} and ${isAfter(before, "stage", sql`s.created`, sql`s.id`)}
    order by s.created desc, s.id desc limit ${most}::bigint`);
  const names = await namesOf(
    asked,
    new Map([
      [USERS, idsAt(rows, 2)],
      [NODES, idsAt(rows, 6, 7)],
    ]),
  );
  return rows.map(([id, at, by = null, step, kind, label, from = null, to = null, comment]) => ({
    kind: "stage",
    id: id ?? "",
    at: at ?? "",
    created: at,
    created_by: by,
    __created_by: names.of(USERS, by),
    step: {
      id,
      step,
      kind,
      label: label && snapshot.words(label),
      from,
      __from: stageName(snapshot, names.of(NODES, from)),
      to,
      __to: stageName(snapshot, names.of(NODES, to)),
      comment,
    },
  }));
}

const stageName = ({ words }: Snapshot, name: string | null): string | null => (name === null ? null : words(name));

/** Who wrote it, where the caller may know. */
const author = (visible: ReadonlySet<string>, by: string | null, name: string | null) =>
  visible.has("created_by") ? { created_by: by, __created_by: name } : { created_by: null, __created_by: null };

async function readFiles(asked: Asked): Promise<TimelineEntry[]> {
  const { reader, caller, before, most } = asked;
  const files = attached(asked, "core/attachments", "name", "file", "created");
  if (!files) return [];
  const { visible } = fieldMask(files, caller);
  const rows = await reader.run(sql`
    select a.id::text, a.created::text, a.created_by::text, a.name,
      a.file::text, a.file_name, a.file_type, a.file_size::text, a.file_width::text, a.file_height::text
    from core__attachments a
    where ${about(asked, sql`a`)} and ${mayRead(caller, files, "a", "few")}
      and ${isAfter(before, "file", sql`a.created`, sql`a.id`)}
    order by a.created desc, a.id desc limit ${most}::bigint`);
  const names = await namesOf(asked, new Map([[USERS, idsAt(rows, 2)]]));
  return rows.map(([id, at, by = null, name, ...file]) => ({
    kind: "file",
    id: id ?? "",
    at: at ?? "",
    created: at,
    ...author(visible, by, names.of(USERS, by)),
    name,
    file: Object.fromEntries(filePartNames.map((part, index) => [part, file[index] ?? null])),
  }));
}
