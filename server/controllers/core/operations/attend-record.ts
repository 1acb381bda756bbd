// Takes what a follower of changes says of its screen (record, doing, tab, present); keeps it at that record while it waits, and
// gives who else is there. A record that the caller may not read is one where nobody is.
import { createHash } from "node:crypto";
import { Failure } from "../../../../contract/failures.ts";
import { type Message, say } from "../../../../contract/messages.ts";
import type { Caller } from "../../../access/caller.ts";
import { mayOperate } from "../../../access/matrix.ts";
import type { RecordType } from "../../../metadata/record-type.ts";
import { findType, type Snapshot } from "../../../metadata/snapshot.ts";
import type { OperationContext } from "../../../operations/operation.ts";
import { requireRecordId } from "../../../plan/plan-read.ts";
import type { Expected } from "../../../records/feed/feed-waiters.ts";
import type { Doing, Visitors } from "../../../records/feed/presence.ts";
import { type Present, readPresent } from "../../../records/feed/read-presence.ts";
import { isReadable } from "../../../records/workflow/follows.ts";
import { shown, textAt } from "../../../request/tree.ts";

export interface Attendance {
  /** Looks again, as whoever the caller is by now. */
  refresh(caller: Caller, snapshot: Snapshot): Promise<void>;
  readonly present: readonly Present[];
  /** Another one where `present` is. */
  readonly token: string;
  /** It is not what the follower knows. */
  readonly isNews: boolean;
  readonly at: Expected["at"];
  end(): void;
}

interface Attended {
  readonly type: RecordType;
  readonly id: string;
}

const TAB = /^[\w-]{0,40}$/;
const nobody: Visitors = { doing: new Map(), mark: "" };

function refuse(name: string, reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name, reason } });
}

/** `crm/leads/42` */
function recordAt(sent: string, caller: Caller, snapshot: Snapshot): Attended {
  const end = sent.lastIndexOf("/");
  const type = findType(snapshot, sent.slice(0, Math.max(end, 0)));
  if (!type || !mayOperate(caller, type, "view")) refuse("record", say("no_such_type", { sent: shown(sent) }));
  return { type, id: requireRecordId(type, sent.slice(end + 1)) };
}

function doingAt(context: OperationContext): Doing {
  const sent = textAt(context.call.parameters, "doing") ?? "view";
  if (sent !== "view" && sent !== "edit") {
    refuse("doing", say("must_be_one_of_not", { options: ["view", "edit"], sent: shown(sent) }));
  }
  return sent;
}

const tokenOf = (present: readonly Present[]): string =>
  present.length === 0 ? "none" : createHash("sha256").update(JSON.stringify(present)).digest("hex").slice(0, 12);

/** Undefined: it says nothing of a record. */
export async function attend(context: OperationContext, caller: Caller): Promise<Attendance | undefined> {
  const { services, call, snapshot } = context;
  const { presence } = services.feed;
  const { organizationId, userId } = caller;
  const sent = textAt(call.parameters, "record");
  const doing = doingAt(context);
  const tab = textAt(call.parameters, "tab") ?? "";
  if (!TAB.test(tab)) refuse("tab", say("bad_tab", { max: 40 }));
  const screen = { organizationId, userId, tab };
  if (sent === undefined) {
    if (tab !== "" && !call.headOnly) presence.enter(screen, undefined, doing);
    return undefined;
  }
  const record = recordAt(sent, caller, snapshot);
  const place = { organizationId, recordType: record.type.key, id: record.id };
  const told = textAt(call.parameters, "present");
  let isOver = call.headOnly;
  let leave: (() => void) | undefined;
  let visitors = nobody;
  let present: readonly Present[] = [];

  const go = (): void => {
    leave?.();
    leave = undefined;
  };
  const attendance: Attendance = {
    async refresh(now, current) {
      const open = await isReadable(services.database, { caller: now, ...record });
      // Whoever is gone meanwhile does not come back by what was still under way.
      if (open && !isOver) leave ??= presence.enter(screen, place, doing);
      else go();
      visitors = open ? presence.at(place) : nobody;
      present = open ? await readPresent(services.database, current, now, record, visitors) : [];
    },
    get present() {
      return present;
    },
    get token() {
      return tokenOf(present);
    },
    get isNews() {
      return tokenOf(present) !== told;
    },
    get at() {
      return leave && { place, mark: visitors.mark };
    },
    end() {
      isOver = true;
      go();
    },
  };
  try {
    await attendance.refresh(caller, snapshot);
  } catch (error) {
    // Nobody else knows of it yet.
    attendance.end();
    throw error;
  }
  return attendance;
}
