// development_base/menus app_menu: the caller's navigation as the records of modules and menu entries say it, module by
// module. Of a record type only those see the entry who may list it. `section` and `operations` say what the web app makes of an entry; programs
// read the rest. With `hidden`, also what is hidden from the caller; with `begun`, also whether there is any record yet.

import { isAddress } from "../../../contract/navigation/address.ts";
import type { Caller } from "../../access/caller.ts";
import { mayOperate, operationsOf, sectionOf } from "../../access/matrix.ts";
import { mayRead } from "../../access/visibility.ts";
import type { Queryable } from "../../database/database.ts";
import { ident, join, sql } from "../../database/sql.ts";
import { isHiddenFrom, readNavigation, type StoredEntry } from "../../designs/navigation/read-navigation.ts";
import type { RecordType } from "../../metadata/record-type.ts";
import { isSetup } from "../../modules/development_base/menu-data.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { requireCaller } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";
import { isSent } from "../../webhooks/webhook.ts";

/** More types need not be looked through to know that somebody has begun. */
const MOST_LOOKED_THROUGH = 24;

export const appMenu: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  keepsLimits: true,
  async run(context) {
    const caller = requireCaller(context);
    const { database } = context.services;
    const { modules, entries } = await readNavigation(database, context.snapshot);
    const withHidden = textAt(context.call.parameters, "hidden") === "1";
    const open = entries.filter((entry) => !entry.isDeleted && isOpenTo(caller, entry));
    const data: Record<string, unknown> = {};
    const typesOf: (readonly RecordType[])[] = [];
    for (const module of modules) {
      const isHidden = (entry: StoredEntry) => isHiddenFrom(caller, module) || isHiddenFrom(caller, entry);
      const own = open.filter((entry) => entry.module === module.name && (withHidden || !isHidden(entry)));
      if (own.length === 0) continue;
      const shown = own.filter((entry) => !isHidden(entry));
      typesOf.push(shown.flatMap(({ type }) => (type && !isSetup(type) ? [type] : [])));
      data[module.name] = {
        label: context.snapshot.words(module.label),
        icon: module.icon,
        children: Object.fromEntries(
          own.map((entry) => [
            entry.key,
            {
              label: context.snapshot.words(entry.label),
              url: entry.url,
              icon: entry.icon ?? "file",
              controller: entry.type?.key ?? null,
              ...(entry.type
                ? usedBy(context, caller, entry.type)
                : { singular: null, section: "work", operations: [], is_followed: 0 }),
              ...(withHidden ? { is_hidden: isHidden(entry) ? 1 : 0 } : {}),
            },
          ]),
        ),
      };
    }
    if (textAt(context.call.parameters, "begun") !== "1") return { body: { data } };
    return { body: { data, begun: (await hasBegun(database, caller, inTurn(typesOf))) ? 1 : 0 } };
  },
};

/** The first of every list, then the second of every list, and so on. */
export const inTurn = <T>(lists: readonly (readonly T[])[]): readonly T[] => {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
};

/** Whether the caller sees any record of the first types. */
async function hasBegun(db: Queryable, caller: Caller, types: readonly RecordType[]): Promise<boolean> {
  const some = types
    .slice(0, MOST_LOOKED_THROUGH)
    .map(
      (type) => sql`exists (select from ${ident(type.table)} r where ${mayRead(caller, type, "r")} and r.deleted = 0)`,
    );
  if (some.length === 0) return false;
  return (await db.row(sql`select (${join(some, " or ")})::integer::text as begun`))?.begun === "1";
}

const isOpenTo = (caller: Caller, { type, isLink, url }: StoredEntry): boolean =>
  type ? mayOperate(caller, type, "index") : isLink && isAddress(url);

function usedBy({ services }: OperationContext, caller: Caller, type: RecordType) {
  const administratorsOnly = services.hooks[type.key]?.administratorsOnly ?? false;
  const keeping = { administratorsOnly, isSetup: isSetup(type) };
  return {
    singular: type.label,
    section: sectionOf(caller, type, keeping),
    operations: operationsOf(caller, type, keeping),
    is_followed: isSent(type) ? 1 : 0,
  };
}
