// Who is asking, with everything that an access decision may depend on. Plain data: decisions are functions over it.

import { createHash } from "node:crypto";
import type { MatrixOperation, Permission } from "../../contract/permissions.ts";
import type { Language } from "../../contract/texts/write.ts";
import type { Glossary } from "../labels/localize.ts";
import type { PolicyEntry, RecordTypeKey } from "../metadata/record-type.ts";
import { type KeyLimits, printOf } from "./keys/limits.ts";

export interface CallerRole {
  readonly id: string;
  readonly code: string;
  readonly isAdministrator: boolean;
  /** By record type, or `*` for all types without an entry of their own. */
  readonly operations: ReadonlyMap<RecordTypeKey | "*", ReadonlySet<MatrixOperation>>;
  /** By record type, then field. */
  readonly fields: ReadonlyMap<RecordTypeKey, ReadonlyMap<string, Permission>>;
}

/** Why somebody is given an administrator's rights that its roles do not give. */
export type ElevationReason =
  /** A workflow makes a record: its definition says which fields, not the rights of whoever takes the step. */
  | "workflow creates"
  /** A step is taken back, and with it the record that the workflow made. */
  | "workflow undoes"
  /** A new version of the service brings records along; nobody asked. */
  | "upgrade"
  /** What a message of a workflow can name at most; each reader sees by its own rights. */
  | "check template"
  /** The operator writes what record types look like; no record is read. */
  | "describe types";

export interface Caller {
  readonly userId: string;
  readonly userName: string;
  readonly fullName: string;
  /** The first group that it is a member of itself, for records that start with it. */
  readonly groupId?: string | null;
  readonly organizationId: string;
  readonly organizationName: string;
  /** Of the organization: what amounts are in where nothing else is said. */
  readonly currencyId?: string | null;
  /** The organization that runs the service; its administrators design record types. */
  readonly isOperator: boolean;
  readonly isAdministrator: boolean;
  /** Why it is an administrator although its roles do not make it one (elevate.ts). */
  readonly elevated?: ElevationReason;
  /** Who it is with its own rights, where it was given others. */
  readonly actor?: Caller;
  /** The user, its groups and theirs, its roles, its organization, everyone; ascending. */
  readonly principals: readonly number[];
  readonly roles: readonly CallerRole[];
  /** Who reads the records of a type, where the organization has a policy of its own for it. */
  readonly policies?: ReadonlyMap<RecordTypeKey, readonly PolicyEntry[]>;
  /** Fields that the forms in force hide from it, by record type. */
  readonly hiddenByForms?: ReadonlyMap<RecordTypeKey, { has(field: string): boolean; readonly print?: string }>;
  readonly locale: string;
  /** In which the service speaks to it: of its profile, else as the request asks, else of the organization, else English. */
  readonly language: Language;
  /** The language of its profile, where that says one of ours. */
  readonly ownLanguage?: Language | undefined;
  /** What its organization has translated itself. */
  readonly glossary?: Glossary | undefined;
  readonly timeZone: string;
  /** What its API key is limited to; whatever it may do is within these. */
  readonly limits?: KeyLimits | undefined;
  /** How it proved who it is. */
  readonly credential:
    | { readonly kind: "session"; readonly sessionId: string }
    | {
        readonly kind: "api-key";
        readonly keyId: string;
        readonly scope: "read" | "write";
        /** The networks that it may be used from; undefined: all. */
        readonly networks?: readonly string[] | undefined;
      }
    /** Work that a person started and that goes on without a request; `keyId`: of the API key it was started with. */
    | { readonly kind: "job"; readonly jobId: string; readonly keyId?: string | undefined };
}

/** The same with its own rights: what a value is shown or copied by, whoever's name it is written in. */
export const actorOf = (caller: Caller): Caller => caller.actor ?? caller;

/** The API key that it came with, or that its work was started with. */
export const keyOf = ({ credential }: Caller): string | undefined =>
  credential.kind === "session" ? undefined : credential.keyId;

/** Whose answers are alike: what is kept for a person is not theirs who come with less. */
export const readerOf = ({ userId, limits }: Pick<Caller, "userId" | "limits">): string =>
  limits === undefined ? userId : `${userId}/${printOf(limits)}`;

/** Principal id of "everyone". */
export const EVERYONE = 1;

const known = new WeakMap<Caller, string>();

/** Moves when somebody comes to see other records or fields by their groups, roles or forms, not by the records themselves. */
export function rightsOf(caller: Caller): string {
  let print = known.get(caller);
  if (print === undefined) {
    const { principals, isAdministrator, isOperator, roles, hiddenByForms = new Map(), policies = new Map() } = caller;
    const facts = {
      ...(caller.limits && { limits: printOf(caller.limits) }),
      principals,
      isAdministrator,
      isOperator,
      roles: roles.map(({ id, operations, fields }) => ({
        id,
        operations: sorted(operations),
        fields: sorted(fields),
      })),
      hidden: sorted(new Map([...hiddenByForms].map(([type, hidden]) => [type, hidden.print ?? null]))),
      policies: sorted(policies),
    };
    print = createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 12);
    known.set(caller, print);
  }
  return print;
}

type Facts = ReadonlySet<string> | ReadonlyMap<string, unknown>;

/** Sets and maps as arrays in one order. */
const sorted = (facts: Facts): unknown =>
  facts instanceof Map
    ? [...facts]
        .map(([key, value]) => [key, value instanceof Map || value instanceof Set ? sorted(value) : value])
        .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))
    : [...(facts as ReadonlySet<string>)].sort();
