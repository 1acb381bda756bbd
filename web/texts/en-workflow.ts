// The English texts of workflows and of what waits for the reader.

export const workflow = {
  bar: "Workflow {{name}}",
  stages: "Stages",
  more: "More",
  log: "Stages",
  your_turn: "It is your turn",
  waits_for: "Waits for {{names}}",
  agreed: "agreed: {{names}}",
  since: "in this stage for {{age}}",
  moved: "Moved to {{stage}}",
  voted: "Your vote is in; others are still to agree",
  out_of_sight: "Done. It has gone on to somebody else, and you no longer see it",
  leads_to: "Leads to {{stage}}.",
  reason: "Reason",
  comment: "Comment",
  log_empty: "It is not on its way yet. Its workflow begins when it is next saved.",
  log_started: "started by {{who}}",
  log_by: "{{label}}, {{who}}",
  log_from: "from {{stage}}",
  log_vote: "{{label}} (one of several)",
  log_stays: "here for {{age}} now",
  log_stayed: "stayed {{age}}",
};

export const work = {
  title: "My work",
  lead: "What waits for you, in all record types, longest first.",
  count: "My work, {{count}} waiting",
  kinds: "Record types",
  all: "All",
  empty: "Nothing waits for you",
  empty_lead: "When a record comes to a stage that is yours to act on, it stands here and you are notified.",
};
