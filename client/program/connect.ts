// The service as a program uses it: an address and a key in; records, lists, bulk work, files and changes out, each call with an AbortSignal.
import { type Client, createClient } from "../client.ts";
import { logOut } from "../people/users.ts";
import { addAttachment, readFile } from "../records/attachments.ts";
import type { FollowedChange } from "../records/changes.ts";
import type { Job } from "../records/jobs.ts";
import { deleteRecord, type RecordView, restoreRecord } from "../records/records.ts";
import { newKey } from "../transport/pending-writes.ts";
import { type Call, createTransport, type WireFile } from "../transport/transport.ts";
import { type FollowOptions, followChanges, type MirrorStep, mirrorList } from "./following.ts";
import { type ListOptions, listRecords } from "./listing.ts";
import {
  type BulkDone,
  type ManySaved,
  type Rows,
  runBulk,
  type Selection,
  saveMany,
  selected,
  type WaitOptions,
  waitForJob,
} from "./many.ts";
import { type RetryPolicy, withRetries } from "./retries.ts";
import type { AnyTypes, InputOf, KeyOf, Path, RecordOf, Row, Shapes } from "./shapes.ts";
import { type Credentials, tokenSource } from "./sign-in.ts";

export interface ConnectOptions extends RetryPolicy {
  /** Where the service is: `https://dossier.example.com`. */
  readonly url: string;
  readonly fetch?: typeof fetch;
  /** In which the service says what is wrong: `en`, `de`, `es`, `fr`, `zh` or `ar`; else in that of the user. */
  readonly language?: string;
}

export interface Stop {
  readonly signal?: AbortSignal | undefined;
}

export interface ListChoices<Field extends string> extends Omit<ListOptions, "fields">, Stop {
  readonly fields?: readonly Field[] | undefined;
}

export interface SaveOptions extends Stop {
  /** A transition of the record's workflow, or another action of its form. */
  readonly action?: string | undefined;
  /** Save it although it looks like a record that is there already. */
  readonly overrideDuplicates?: boolean | undefined;
  /** The same for the same write, over restarts of the program too: it is then written once. */
  readonly idempotencyKey?: string | undefined;
}

export interface Dossier<Types extends Shapes<Types> = AnyTypes> {
  /** The records of a list, each once, whatever is written meanwhile. */
  list<Key extends KeyOf<Types>, Field extends Path<Types, Key> = Path<Types, Key>>(
    type: Key,
    options?: ListChoices<Field>,
  ): AsyncGenerator<Row<Types, Key, Field>, void>;
  read<Key extends KeyOf<Types>>(type: Key, id: string, options?: Stop): Promise<RecordOf<Types, Key>>;
  /** Adds a record, or edits the one whose `id` is among the values. With `revision` too, only if nobody else has changed it since. */
  save<Key extends KeyOf<Types>>(
    type: Key,
    values: InputOf<Types, Key>,
    options?: SaveOptions,
  ): Promise<RecordOf<Types, Key>>;
  /** To the recycle bin. */
  delete<Key extends KeyOf<Types>>(type: Key, id: string, options?: Stop): Promise<void>;
  restore<Key extends KeyOf<Types>>(type: Key, id: string, options?: Stop): Promise<void>;
  addMany<Key extends KeyOf<Types>>(type: Key, rows: Rows<InputOf<Types, Key>>, options?: Stop): Promise<ManySaved>;
  /** Each by its `id`. */
  editMany<Key extends KeyOf<Types>>(type: Key, rows: Rows<InputOf<Types, Key>>, options?: Stop): Promise<ManySaved>;
  /** Adds the rows whose record is not there, and changes the others; records are found by the values of one field, or of several together. */
  upsert<Key extends KeyOf<Types>>(
    type: Key,
    key: (keyof InputOf<Types, Key> & string) | readonly (keyof InputOf<Types, Key> & string)[],
    rows: Rows<InputOf<Types, Key>>,
    options?: Stop,
  ): Promise<ManySaved>;
  bulkEdit<Key extends KeyOf<Types>>(
    type: Key,
    selection: Selection,
    values: InputOf<Types, Key>,
    options?: WaitOptions & Stop,
  ): Promise<BulkDone>;
  bulkDelete(type: KeyOf<Types>, selection: Selection, options?: WaitOptions & Stop): Promise<BulkDone>;
  bulkRestore(type: KeyOf<Types>, selection: Selection, options?: WaitOptions & Stop): Promise<BulkDone>;
  waitForJob(id: string, options?: WaitOptions & Stop): Promise<Job>;
  /** Attaches a file to a record; gives the id of the attachment, a record of `core/attachments`. */
  attach(type: KeyOf<Types>, id: string, file: Blob, options?: Stop & { readonly name?: string }): Promise<string>;
  /** The file that a field of a record holds; the first one, unless `field` names another. */
  download(
    type: KeyOf<Types>,
    id: string,
    options?: Stop & { readonly field?: string; readonly thumbnail?: boolean },
  ): Promise<WireFile>;
  /** Every change that the caller may read, each once, those of one record in their order. Throws a 410 where `after` is too old. */
  changes(
    options?: FollowOptions & Stop & { readonly types?: readonly KeyOf<Types>[] },
  ): AsyncGenerator<FollowedChange, void>;
  /** All records of a list and then every change of it, for a copy of one's own. Starts over by itself where `after` is too old. */
  mirror<Key extends KeyOf<Types>, Field extends Path<Types, Key> = Path<Types, Key>>(
    type: Key,
    options?: Omit<ListChoices<Field>, "order" | "limit"> & FollowOptions,
  ): AsyncGenerator<MirrorStep<Row<Types, Key, Field>>, void>;
  /** Any operation by its path, such as `crm/leads/timeline`. */
  readonly call: Call;
  /** What the web app calls, by subject. */
  readonly calls: Client;
  /** Ends the session of a program that signed in with a password. */
  signOut(): Promise<void>;
}

/** `Types`: what `dossier types` wrote. */
export function connect<Types extends Shapes<Types> = AnyTypes>(options: ConnectOptions & Credentials): Dossier<Types> {
  // Every call goes by the record type's key and plain texts; what they are to the compiler is said by the interface alone.
  return open(options) as unknown as Dossier<Types>;
}

const aliasOf = (type: string): string => type.split("/")[1] ?? "";

const within = (call: Call, signal: AbortSignal | undefined): Call =>
  signal === undefined
    ? call
    : Object.assign(<Body>(path: string, options = {}) => call<Body>(path, { signal, ...options }), {
        file: ((path, options = {}) => call.file(path, { signal, ...options })) satisfies Call["file"],
      });

function open(options: ConnectOptions & Credentials): Dossier {
  const { url, fetch: send = globalThis.fetch, language } = options;
  const { protocol, origin, pathname } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") throw new TypeError(`${url} is no address of a service`);
  const parts = {
    baseUrl: origin + pathname.replace(/\/$/, ""),
    fetch: withRetries((input, init) => send(input, init), options),
    ...(language === undefined ? {} : { language: () => language }),
  };
  const call = createTransport({
    ...parts,
    token: tokenSource(options, createTransport(parts)),
    // Each write is one write, however often it has to be sent.
    pendingWrites: { begin: newKey, settle: () => undefined, leaveOpen: () => undefined },
  });

  const bulk =
    (operation: string) =>
    (type: string, selection: Selection, more: WaitOptions & Stop & { body?: object } = {}) =>
      runBulk(
        within(call, more.signal),
        `${type}/${operation}`,
        { ...selected(type, selection), ...more.body },
        more,
        more.signal,
      );
  const edited = bulk("edit_selected");
  const deleted = bulk("delete_selected");

  return {
    call,
    calls: createClient(call),
    list: (type, { signal, ...choice } = {}) => listRecords(within(call, signal), type, choice) as never,
    async read(type, id, { signal } = {}) {
      const { data } = await call<RecordView>(`${type}/view`, { query: { id, form: 0 }, signal });
      return data[aliasOf(type)] as never;
    },
    async save(type, values, { action = "save_progress", overrideDuplicates, idempotencyKey, signal } = {}) {
      const { data } = await call<RecordView>(`${type}/${values.id == null ? "add" : "edit"}`, {
        query: { form: 0, override_duplicates: overrideDuplicates ? 1 : undefined },
        body: { data: { [aliasOf(type)]: values, action: { [action]: action } } },
        key: idempotencyKey,
        signal,
      });
      return data[aliasOf(type)] as never;
    },
    async delete(type, id, { signal } = {}) {
      await deleteRecord(within(call, signal), type, id);
    },
    async restore(type, id, { signal } = {}) {
      await restoreRecord(within(call, signal), type, id);
    },
    addMany: (type, rows, { signal } = {}) => saveMany(within(call, signal), type, "add_many", rows, { partial: "1" }),
    editMany: (type, rows, { signal } = {}) => saveMany(within(call, signal), type, "edit_many", rows, { key: "id" }),
    upsert: (type, key, rows, { signal } = {}) =>
      saveMany(within(call, signal), type, "add_many", rows, {
        partial: "1",
        key: typeof key === "string" ? key : key.join(","),
      }),
    bulkEdit: (type, selection, values, more = {}) =>
      edited(type, selection, { ...more, body: { data: { [aliasOf(type)]: values } } }),
    bulkDelete: (type, selection, more = {}) => deleted(type, selection, { ...more, body: { is_confirm: "1" } }),
    bulkRestore: bulk("restore_selected"),
    waitForJob: (id, more = {}) => waitForJob(call, id, more, more.signal),
    async attach(type, id, file, { name, signal } = {}) {
      const named = name === undefined ? file : new File([file], name, { type: file.type });
      const place = { recordTypeKey: type, id };
      return (await addAttachment(call, place, named, undefined, signal)).id;
    },
    download: (type, id, { field, thumbnail = false, signal } = {}) =>
      readFile(within(call, signal), { recordTypeKey: type, id, field }, { thumbnail }),
    changes: ({ types = [], signal, ...from } = {}) => followChanges(call, types, from, signal),
    mirror: (type, { signal, ...choice } = {}) => mirrorList(within(call, signal), type, choice, signal) as never,
    async signOut() {
      if ("userName" in options) await logOut(call);
    },
  };
}
