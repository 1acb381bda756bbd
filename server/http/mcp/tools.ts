// What an assistant can do, as data: each tool says what it takes and which calls of the wire it makes. Knows nothing of rights: the
// calls are made with the assistant's key and are refused where the key's user would be.
import { z } from "zod";
import { generatedViewId } from "../../../contract/generated-view.ts";
import { type Message, say } from "../../../contract/messages.ts";
import { coded, issueFaults } from "../../lib/issue-message.ts";
import { parseRecordTypeKey } from "../../request/path.ts";
import { shown } from "../../request/tree.ts";
import { Refused, type Wire } from "./wire-calls.ts";

type Answer = Readonly<Record<string, unknown>>;

/** What a call is about, for the audit log: names and ids, never values. */
export interface About {
  readonly type?: string | undefined;
  readonly id?: string | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** A sentence for each of them, with the name of the argument. */
export class WrongArguments extends Error {
  readonly sentences: readonly Message[];

  constructor({ issues }: z.ZodError, sent: unknown) {
    super("The arguments do not fit the tool");
    this.sentences = issueFaults(issues, sent, "arguments").map(({ at, wrong }) =>
      say("malformed_parameter", { name: shown(at), reason: wrong }),
    );
  }
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Not there for keys that only read. */
  readonly writes: boolean;
  readonly input: z.ZodType;
  /** Throws WrongArguments; gives what they are about and how to run them. */
  prepare(sent: unknown): { readonly about: About; run(wire: Wire): Promise<Answer> };
}

interface Definition<Input extends z.ZodType> extends Pick<Tool, "name" | "title" | "description" | "writes"> {
  readonly input: Input;
  about(args: z.output<Input>): About;
  run(wire: Wire, args: z.output<Input>): Promise<Answer>;
}

const tool = <Input extends z.ZodType>({ about, run, ...known }: Definition<Input>): Tool => ({
  ...known,
  prepare(sent) {
    const { data: args, error } = known.input.safeParse(sent);
    if (error) throw new WrongArguments(error, sent);
    return { about: about(args), run: (wire) => run(wire, args) };
  },
});

const PAGE = 20;
const MOST_ROWS = 50;

const typeKey = z
  .string()
  .max(129)
  .describe("The record type, such as crm/leads; describe_types lists them")
  .refine(isTypeKey, coded("bad_type_key"));
const recordId = z
  .union([z.string().min(1).max(64), z.number().int().min(0)], {
    error: ({ input }) => (input === undefined ? coded("is_missing") : coded("must_name_record")),
  })
  .describe("The record's id")
  .transform(String);
const values = z
  .record(z.string().max(200), z.unknown())
  .describe(
    "Values by field name. Texts; numbers as texts; dates as YYYY-MM-DD, instants as YYYY-MM-DD HH:MM:SS in UTC; references by id",
  );

function isTypeKey(key: string): boolean {
  try {
    const { module, controller } = parseRecordTypeKey(key);
    return `${module}/${controller}` === key;
  } catch {
    return false;
  }
}

const controllerOf = (type: string): string => type.slice(type.indexOf("/") + 1);

const recordSchema = z.record(z.string(), z.unknown());
const recordsSchema = z.array(recordSchema);

/** Parts of an answer; what is not there is left out. */
const pick = (from: Answer, names: readonly string[]): Answer =>
  Object.fromEntries(names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]));

/** A record or a row without what only the web app needs. */
const plain = (record: Answer): Answer =>
  Object.fromEntries(
    Object.entries(record).filter(
      ([name]) => !/(?:^|\.)_acl_|_model$|\.deleted$/.test(name) && name !== "is_comment" && name !== "is_delete",
    ),
  );

/** What a workflow lets the caller do with a record now. */
const workflowSchema = z
  .looseObject({ __stage: z.unknown(), actors: z.unknown(), is_my_turn: z.unknown(), transitions: z.unknown() })
  .optional();

/** The answer of a view or a save. */
function shownRecord(type: string, body: Answer, fields?: readonly string[]): Answer {
  const data = recordSchema.parse(body.data);
  const record = plain(recordSchema.parse(data[controllerOf(type)] ?? Object.values(data)[0] ?? {}));
  const workflow = workflowSchema.safeParse(body.workflow).data;
  const wanted = fields && new Set(["id", ...fields.flatMap((name) => [name, `__${name}`])]);
  return {
    ...pick(body, ["id", "name", "message", "invitation_links"]),
    record: wanted ? pick(record, [...wanted]) : record,
    ...pick(body, ["is_editable", "is_deletable"]),
    ...(workflow ? { workflow: pick(workflow, ["__stage", "since", "actors", "is_my_turn", "transitions"]) } : {}),
  };
}

const menuSchema = z.record(
  z.string(),
  z.looseObject({
    children: z.record(
      z.string(),
      z.looseObject({
        label: z.string(),
        controller: z.string().nullable(),
        singular: z.string().nullable(),
        operations: z.array(z.string()),
      }),
    ),
  }),
);

const fieldParts = ["name", "label", "type", "required", "permission", "options", "to", "operators", "help"] as const;

async function describeType(wire: Wire, type: string): Promise<Answer> {
  const associations = "[belongsTo,hasMany,hasManyThrough]";
  const { data } = await wire.get("/metadata/schema/index.json", {
    search_controller: type,
    fetch_associations: associations,
  });
  const { record_type, schema, associations: related } = recordSchema.parse(data);
  // Limited keys are not told of workflows as a whole; each record tells what can be done with it.
  const stages = await wire.get("/core/workflows/stages.json", { controller: type }).catch((error: unknown) => {
    if (error instanceof Refused) return undefined;
    throw error;
  });
  const workflow = stages && recordSchema.parse(stages.data);
  return {
    record_type,
    fields: recordsSchema.parse(schema).map((field) => {
      const told = pick(field, fieldParts);
      return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null && value !== false));
    }),
    related,
    ...(workflow?.workflow ? { workflow: pick(workflow, ["stage_field", "stages", "transitions"]) } : {}),
  };
}

async function listTypes(wire: Wire): Promise<Answer> {
  const { data } = await wire.get("/development_base/menus/app_menu.json", { hidden: "1" });
  const entries = Object.values(menuSchema.parse(data)).flatMap(({ children }) => Object.values(children));
  const types = entries.flatMap(({ controller, singular, label, operations }) =>
    controller === null ? [] : [[controller, { type: controller, singular, plural: label, operations }] as const],
  );
  return { types: [...new Map(types).values()] };
}

const save = (type: string, record: Answer, action: string, more: Answer = {}): Answer => ({
  data: { [controllerOf(type)]: record, action: { [action]: "1" } },
  ...more,
});

const duplicates = z
  .boolean()
  .default(false)
  .describe("Save although another record looks alike. Ask the user before you set it");

export const tools: readonly Tool[] = [
  tool({
    name: "describe_types",
    title: "Describe record types",
    description:
      "Without arguments, lists the record types that this key can use and the operations allowed on each. With a type, gives its fields (permission 2: editable, 4: read-only), the options of choices, what references point to, related lists, and the stages of its workflow.",
    writes: false,
    input: z.strictObject({ type: typeKey.optional() }),
    about: ({ type }) => ({ type }),
    run: (wire, { type }) => (type === undefined ? listTypes(wire) : describeType(wire, type)),
  }),
  tool({
    name: "search",
    title: "Search records",
    description:
      "Finds records of all types by words that they contain, the newest first, a few of each type. Use list_records to filter by fields.",
    writes: false,
    input: z.strictObject({
      text: z.string().min(1).max(1_000).describe("Words that all must occur"),
      type: typeKey.optional(),
      limit: z.int().min(1).max(20).default(5).describe("Records of each type"),
    }),
    about: ({ type }) => ({ type }),
    run: async (wire, { text, type, limit }) => {
      const query = { text, limit: String(limit), ...(type === undefined ? {} : { controller: type }) };
      const { data } = await wire.get("/core/search/index.json", query);
      const { search, unfinished } = recordSchema.parse(data);
      const found = recordsSchema
        .parse(search)
        .map(({ controller, ...group }) => ({ type: controller, ...pick(group, ["plural", "has_more", "records"]) }));
      return { found, unfinished };
    },
  }),
  tool({
    name: "list_records",
    title: "List records",
    description: `Lists records of one type, at most ${MOST_ROWS} at a time. q is the query: {"fields": ["leads.last_name", "leads.owned_by.name"], "where": {"leads.status": "new", "leads.amount": {"op": ">", "value": "100"}}, "order": ["leads.created DESC"]}. Columns are <controller>.<field>. Operators: =, !=, <, <=, >, >=, in, not in, between, contains, starts with, ends with, is null, is not null; nest with AND, OR, NOT. {{CURRENT_USER}}, {{TODAY}} and {{TODAY}}-7d are values. For figures: {"fields": ["leads.status", "count(leads.id)", "sum(leads.amount)"], "group": ["leads.status"]}. Comments on a record are records of core/comments with related_type and related_id.`,
    writes: false,
    input: z.strictObject({
      type: typeKey,
      q: z
        .looseObject({
          fields: z.array(z.string()).max(100).optional(),
          where: z.unknown().optional(),
          order: z.array(z.string()).optional(),
          group: z.array(z.string()).optional(),
          having: z.unknown().optional(),
        })
        .default({})
        .describe("The query; without one, all records with their main fields"),
      search: z.string().max(1_000).optional().describe("Words that all must occur in a record"),
      page: z.int().min(1).max(1_000_000).default(1),
      limit: z.int().min(1).max(MOST_ROWS).default(PAGE),
    }),
    about: ({ type }) => ({ type }),
    run: async (wire, { type, q, search, page, limit }) => {
      const { page: _page, limit: _limit, ...query } = q;
      const { paginate, message } = await wire.post(`/${type}/index.json`, {
        // What people look at in the web app decides nothing here.
        current_listview: generatedViewId(type),
        track_open: "0",
        page: String(page),
        limit: String(limit),
        // As text: a body has fewer levels than a condition may have.
        q: JSON.stringify({ ...query, pheader: "0" }),
        ...(search === undefined ? {} : { search_basic: search }),
      });
      const list = recordSchema.parse(paginate);
      return {
        ...pick(list, ["total_count", "total_count_is_exact", "page"]),
        records: recordsSchema.parse(list.data).map(plain),
        message,
      };
    },
  }),
  tool({
    name: "read_record",
    title: "Read a record",
    description:
      "Gives one record with all fields that this key can see, its related rows, its stage and the transitions that can be taken now. __<field> is what people read where a field holds an id. Name fields to read a long text as a whole.",
    writes: false,
    input: z.strictObject({ type: typeKey, id: recordId, fields: z.array(z.string().max(200)).max(100).optional() }),
    about: ({ type, id }) => ({ type, id }),
    run: async (wire, { type, id, fields }) =>
      shownRecord(type, await wire.get(`/${type}/view.json`, { id, form: "0" }), fields),
  }),
  tool({
    name: "add_record",
    title: "Add a record",
    description:
      "Adds a record. Look at describe_types first for the fields that are required. A possible duplicate is refused with the records that look alike.",
    writes: true,
    input: z.strictObject({ type: typeKey, values, override_duplicates: duplicates }),
    about: ({ type, values: sent }) => ({ type, fields: Object.keys(sent) }),
    run: async (wire, { type, values: sent, override_duplicates }) => {
      const more = override_duplicates ? { override_duplicates: "1" } : {};
      return shownRecord(type, await wire.post(`/${type}/add.json?form=0`, save(type, sent, "save_progress", more)));
    },
  }),
  tool({
    name: "edit_record",
    title: "Edit a record",
    description:
      "Changes the given fields of a record; all others stay as they are. With the revision of read_record, a record that somebody else changed since is refused.",
    writes: true,
    input: z.strictObject({
      type: typeKey,
      id: recordId,
      values,
      revision: z
        .union([z.string().max(20), z.int()], { error: coded("must_be_whole_number") })
        .transform(String)
        .optional(),
      override_duplicates: duplicates,
    }),
    about: ({ type, id, values: sent }) => ({ type, id, fields: Object.keys(sent) }),
    run: async (wire, { type, id, values: sent, revision, override_duplicates }) => {
      const record = { ...sent, id, ...(revision === undefined ? {} : { revision }) };
      const more = override_duplicates ? { override_duplicates: "1" } : {};
      return shownRecord(type, await wire.post(`/${type}/edit.json?form=0`, save(type, record, "save_progress", more)));
    },
  }),
  tool({
    name: "take_transition",
    title: "Take a workflow transition",
    description:
      "Moves a record to another stage of its workflow. read_record lists the transitions that can be taken now, with the fields and the reason that each requires.",
    writes: true,
    input: z.strictObject({
      type: typeKey,
      id: recordId,
      transition: z
        .string()
        .regex(/^[a-z0-9_]{1,64}$/, coded("must_be_transition"))
        .describe("The transition's name"),
      reason: z.string().max(10_000).optional().describe("Why, where the transition asks for a reason"),
      values: values.optional(),
    }),
    about: ({ type, id, values: sent = {} }) => ({ type, id, fields: Object.keys(sent) }),
    run: async (wire, { type, id, transition, reason, values: sent }) => {
      const log = reason === undefined ? {} : { stage_log: { comment: reason } };
      return shownRecord(
        type,
        await wire.post(`/${type}/edit.json?form=0`, save(type, { ...sent, ...log, id }, transition)),
      );
    },
  }),
  tool({
    name: "comment",
    title: "Comment on a record",
    description: "Adds a comment to a record. @user_name mentions a user, who is notified.",
    writes: true,
    input: z.strictObject({ type: typeKey, id: recordId, text: z.string().min(1).max(20_000) }),
    about: ({ type, id }) => ({ type, id }),
    run: async (wire, { type, id, text }) => {
      const record = { related_type: type, related_id: id, body: text };
      const sent = save("core/comments", record, "save_progress");
      return pick(await wire.post("/core/comments/add.json?form=0", sent), ["id", "message"]);
    },
  }),
];
