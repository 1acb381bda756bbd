// timeline: everything that happened to a record as one stream, newest first: comments, changes, stages, files.
import { Failure } from "../../contract/failures.ts";
import { type Message, say } from "../../contract/messages.ts";
import { readTimeline } from "../records/history/read-timeline.ts";
import { placeText, readPlace, type TimelineKind, timelineKinds } from "../records/history/timeline-place.ts";
import { preparedReader } from "../records/read/view-record.ts";
import { shown, type Tree, textAt } from "../request/tree.ts";
import { addressed, requireId } from "./addressed.ts";
import type { Operation } from "./operation.ts";

const MOST = 100;

function refuse(name: string, reason: Message): never {
  throw new Failure("malformed_parameter", { with: { name, reason } });
}

function kindsOf(parameters: Tree): ReadonlySet<TimelineKind> {
  const sent = textAt(parameters, "kinds");
  if (sent === undefined) return new Set(timelineKinds);
  return new Set(
    sent.split(";").map((name) => {
      const kind = timelineKinds.find((one) => one === name);
      return (
        kind ?? refuse("kinds", say("must_be_one_of_not", { options: [...timelineKinds], sent: `"${shown(name)}"` }))
      );
    }),
  );
}

export const timeline: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  matrix: "view",
  async run(context) {
    const { caller, type } = addressed(context);
    const { services, snapshot, call } = context;
    const kinds = kindsOf(call.parameters);
    const limit = textAt(call.parameters, "limit") ?? "30";
    if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > MOST)
      refuse("limit", say("must_be_whole", { min: 1, max: MOST }));
    const sent = textAt(call.parameters, "before");
    const before = sent === undefined ? undefined : readPlace(sent);
    if (sent !== undefined && before === undefined) refuse("before", say("must_be_next"));
    const id = requireId(context);
    const reader = preparedReader(services.database);
    const page = await readTimeline({ reader, snapshot, type, caller }, id, { kinds, before, limit: Number(limit) });
    return { body: { id, data: { timeline: page.entries, next: page.next ? placeText(page.next) : null } } };
  },
};
