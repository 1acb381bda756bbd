// What a list view is once read: the query it runs and how its columns look. Pure.

import { Failure } from "../../contract/failures.ts";
import { generatedCategoryId, generatedViewId } from "../../contract/generated-view.ts";
import { say } from "../../contract/messages.ts";
import { type Language, write } from "../../contract/texts/write.ts";
import { isViewKind, viewKinds } from "../../contract/view-kinds.ts";
import { typeOf } from "../metadata/compile.ts";
import type { RecordType } from "../metadata/record-type.ts";
import { parseQ, type Q, viewKeys } from "../request/q.ts";
import { isTree, type Tree } from "../request/tree.ts";
import { readViewLook, type ViewLook } from "./view-look.ts";

export interface ColumnProperties {
  readonly label?: string;
  readonly width?: string;
  readonly invisible: boolean;
  readonly link: boolean;
  readonly total: boolean;
  /** Stays in sight while the others scroll. */
  readonly pinned?: boolean;
}

export interface ListView {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly sequence: number;
  readonly categoryId: string | null;
  readonly categoryName: string | null;
  readonly uiHelper: string;
  readonly query: Q;
  readonly columns: ReadonlyMap<string, ColumnProperties>;
  /** Tells one state of the view from another. */
  readonly revision: string;
}

const flagOf = (tree: Tree, name: string): boolean => tree[name] === "1";

export interface ViewQuery {
  readonly query: Q;
  readonly columns: ReadonlyMap<string, ColumnProperties>;
  readonly uiHelper?: string;
  readonly look: ViewLook;
}

/** Reads a view's `query`; a Failure that names what is wrong with it. */
export const parseViewQuery = (text: string | null): ViewQuery => readViewQuery(parseQ(text ?? "{}", viewKeys));

/** A draft of the view: everything of it but its query stays, and nothing is saved. */
export function asDrafted(view: ListView, draft: Q | undefined): ListView {
  if (draft === undefined) return view;
  const { query, columns, uiHelper = "table" } = readViewQuery(draft);
  return { ...view, query, columns, uiHelper, revision: `${view.revision} ${JSON.stringify(draft)}` };
}

function readViewQuery(query: Q): ViewQuery {
  const sent = query.more?.columns;
  const columns = new Map<string, ColumnProperties>();
  if (sent !== undefined && !isTree(sent)) {
    throw new Failure("malformed_parameter", {
      with: { name: "query", reason: say("in_key", { key: "columns", reason: say("must_be_object") }) },
    });
  }
  for (const [name, properties] of Object.entries(sent ?? {})) {
    if (!isTree(properties)) {
      throw new Failure("malformed_parameter", {
        with: { name: "query", reason: say("in_key", { key: `columns.${name}`, reason: say("must_be_object") }) },
      });
    }
    columns.set(name, {
      ...(typeof properties.label === "string" ? { label: properties.label } : {}),
      ...(typeof properties.width === "string" ? { width: properties.width } : {}),
      invisible: flagOf(properties, "is_invisible"),
      link: flagOf(properties, "clickable_link"),
      total: flagOf(properties, "compute_column_total"),
      pinned: flagOf(properties, "pinned"),
    });
  }
  const helper = query.more?.ui_helper;
  if (helper !== undefined && !isViewKind(helper)) {
    const reason = say("in_key", { key: "ui_helper", reason: say("must_be_one_of", { options: viewKinds }) });
    throw new Failure("malformed_parameter", { with: { name: "query", reason } });
  }
  const look = readViewLook(query.more);
  return { query, columns, look, ...(typeof helper === "string" ? { uiHelper: helper } : {}) };
}

const MOST_GENERATED = 12;

/** The view that a record type has before anybody saved one. */
export function generatedView(type: RecordType): ListView {
  let view = generated.get(type);
  if (!view) {
    view = generate(type);
    generated.set(type, view);
  }
  return view;
}

const generated = new WeakMap<RecordType, ListView>();

/** The same for people to see: what has no name of its own is called in the reader's language. */
export const namedView = (type: RecordType, language: Language): ListView => ({
  ...generatedView(type),
  name: write(say("all_records", { type: type.nouns }), language),
});

/** What the service gives every record stands behind what the type is about. */
const givenToAll = ["owned_by", "primary_acl_group", "category_id"];

function generate(type: RecordType): ListView {
  const shown = type.fields.filter(
    (field) =>
      (!field.system || typeOf(field).running !== undefined) && !typeOf(field).isLong && field.permission !== 1,
  );
  const own = shown.filter(({ name }) => name !== type.displayField && !givenToAll.includes(name));
  const names = [
    type.displayField,
    ...(type.businessKey ? ["business_key"] : []),
    ...own.slice(0, MOST_GENERATED).map((field) => field.name),
    ...givenToAll.filter((name) => shown.some((field) => field.name === name)),
    "created",
  ];
  const fields = [...new Set(names)].map((name) => ({ kind: "column" as const, column: `${type.alias}.${name}` }));
  return {
    id: generatedViewId(type.key),
    name: `All ${type.nouns}`,
    isDefault: true,
    sequence: 0,
    categoryId: generatedCategoryId(type.key),
    categoryName: "Lists",
    uiHelper: "table",
    query: { fields, order: [{ column: `${type.alias}.created`, descending: true }], header: true },
    columns: new Map([[`${type.alias}.${type.displayField}`, { invisible: false, link: true, total: false }]]),
    revision: "0",
  };
}
