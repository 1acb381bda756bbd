// core/search index: the newest records of every type the caller may list that have all the words, a few of each. Each
// type is an ordinary list of the caller's, so nothing is found that no list would show.

import { Failure } from "../../../../contract/failures.ts";
import { say } from "../../../../contract/messages.ts";
import type { Caller } from "../../../access/caller.ts";
import { mayOperate } from "../../../access/matrix.ts";
import { isGivenUp } from "../../../database/errors.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { modulesOf } from "../../../modules/development_base/menu-data.ts";
import type { Operation, OperationContext } from "../../../operations/operation.ts";
import { requireCaller } from "../../../operations/require-caller.ts";
import { generatedView } from "../../../plan/list-view.ts";
import { planList } from "../../../plan/plan-list.ts";
import { fixedColumns } from "../../../query/compile-list.ts";
import { runUncounted } from "../../../records/list/run-list.ts";
import { untilFresh } from "../../../records/list/until-fresh.ts";
import { parseListParameters } from "../../../request/list-parameters.ts";
import { parseQ } from "../../../request/q.ts";
import { emptyTree, textAt } from "../../../request/tree.ts";
import { type Fact, factsOf, tellingColumns } from "./telling-facts.ts";

const DEFAULT_LIMIT = 5;
const MOST = 50;
/** What has not answered by then is left out, and named: a search is worth nothing when one has to wait for it. */
const PATIENCE_MS = 2_500;
/** What tells hits of the same name apart is worth a little more, and is left out where that is not enough. */
const FACTS_MS = 700;
/** Types that are searched at a time: connections are for others too. */
const AT_ONCE = 3;

interface Found {
  readonly id: string | null;
  readonly name: string | null;
  readonly business_key: string | null;
}

export const search: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  keepsLimits: true,
  async run(context) {
    const caller = requireCaller(context);
    const { parameters } = context.call;
    const text = textAt(parameters, "text")?.trim() ?? "";
    const only = textAt(parameters, "controller");
    const limit = readLimit(textAt(parameters, "limit"));
    // The same limits as those of a list's own search.
    parseListParameters(Object.assign(emptyTree(), { search_basic: text }));
    const types =
      text === "" ? [] : searchable(context, caller).filter(({ key }) => only === undefined || key === only);
    const deadline = Date.now() + PATIENCE_MS;
    const groups = new Map<RecordType, readonly Found[]>();
    const facts = new Map<RecordType, ReadonlyMap<string, readonly Fact[]>>();
    const unfinished: string[] = [];
    await context.time("search", async () => {
      await fewAtOnce(types, async (type) => {
        const found = await within(deadline, () => searchType(context, caller, type, text, limit + 1, deadline));
        if (found === undefined) unfinished.push(type.key);
        else groups.set(type, found);
      });
      // Once everything is found: facts are read from other types too, and one of those may be what did not answer.
      const until = Date.now() + FACTS_MS;
      await fewAtOnce([...groups.keys()], async (type) => {
        const ids = (groups.get(type) ?? []).slice(0, limit).flatMap(({ id }) => id ?? []);
        const told =
          ids.length === 0 ? undefined : await within(until, () => readFacts(context, caller, type, ids, until));
        if (told) facts.set(type, told);
      });
    });
    return {
      body: {
        data: {
          search: types.flatMap((type) => {
            const found = groups.get(type) ?? [];
            if (found.length === 0) return [];
            const { key, label, plural, icon } = type;
            const told = facts.get(type);
            const records = found.slice(0, limit).map((one) => ({ ...one, facts: told?.get(one.id ?? "") ?? [] }));
            return [{ controller: key, label, plural, icon: icon ?? null, has_more: found.length > limit, records }];
          }),
          unfinished,
        },
      },
    };
  },
};

/** In the order of the navigation. */
const searchable = ({ snapshot }: OperationContext, caller: Caller): readonly RecordType[] =>
  modulesOf(snapshot).flatMap(({ name }) =>
    [...snapshot.types.values()].filter(
      (type) =>
        type.module === name &&
        !type.hidden &&
        type.fields.some((field) => field.searchable) &&
        mayOperate(caller, type, "index") &&
        mayOperate(caller, type, "view"),
    ),
  );

async function searchType(
  context: OperationContext,
  caller: Caller,
  type: RecordType,
  text: string,
  limit: number,
  deadline: number,
): Promise<readonly Found[]> {
  const { snapshot, services } = context;
  const hasKey = type.field.has("business_key");
  const fields = hasKey ? [`${type.alias}.business_key`] : ["{{PRIMARY_KEY}}"];
  const sent = Object.assign(emptyTree(), { search_basic: text, limit: String(limit) });
  const parameters = { ...parseListParameters(sent), q: parseQ(JSON.stringify({ fields, pheader: "0" })) };
  const scope = { snapshot, type, caller, now: new Date() };
  const plan = planList(scope, generatedView(type), parameters);
  const rows = await untilFresh(() => runUncounted(services.lists, plan, deadline));
  return Array.from({ length: rows.length }, (_, row) => ({
    id: rows.text(row, fixedColumns.id),
    name: rows.text(row, fixedColumns.display),
    business_key: hasKey ? rows.text(row, fixedColumns.first) : null,
  }));
}

async function readFacts(
  { snapshot, services }: OperationContext,
  caller: Caller,
  type: RecordType,
  ids: readonly string[],
  deadline: number,
): Promise<ReadonlyMap<string, readonly Fact[]>> {
  const scope = { snapshot, type, caller, now: new Date() };
  const telling = tellingColumns(scope);
  if (telling.length === 0) return new Map();
  const fields = [...new Set(telling.map(({ column }) => column))];
  const q = { fields, where: { [`${type.alias}.id`]: ids }, pheader: "0" };
  const sent = Object.assign(emptyTree(), { limit: String(ids.length) });
  const plan = planList(scope, generatedView(type), { ...parseListParameters(sent), q: parseQ(JSON.stringify(q)) });
  const rows = await untilFresh(() => runUncounted(services.lists, plan, deadline));
  return new Map(
    Array.from({ length: rows.length }, (_, row) => {
      const texts = telling.map(({ column }) => rows.text(row, fixedColumns.first + fields.indexOf(column)));
      return [rows.text(row, fixedColumns.id) ?? "", factsOf(rows.text(row, fixedColumns.display), telling, texts)];
    }),
  );
}

async function fewAtOnce(types: readonly RecordType[], work: (type: RecordType) => Promise<void>): Promise<void> {
  const waiting = [...types];
  const worker = async (): Promise<void> => {
    for (let type = waiting.shift(); type; type = waiting.shift()) await work(type);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Gives undefined for what is not there in time, or was given up by the database because it would not be. */
async function within<T>(deadline: number, work: () => Promise<T>): Promise<T | undefined> {
  const left = deadline - Date.now();
  if (left <= 0) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), left);
  });
  const running = work().catch((error: unknown) => {
    if (isGivenUp(error) || Date.now() >= deadline) return undefined;
    throw error;
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const value = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= MOST) return value;
  const reason = say("must_be_whole", { min: 1, max: MOST });
  throw new Failure("malformed_parameter", { with: { name: "limit", reason } });
}
