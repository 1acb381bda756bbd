// The English texts of workflows and of what waits for the reader.

export const workflow = {
  bar: "Workflow {{name}}",
  stages: "Stages",
  more: "More",
  your_turn: "Your action needed",
  waits_for: "Waiting for {{names}}",
  agreed: "approved by {{names}}",
  since: "in this stage for {{age}}",
  not_yet: "Not available yet",
  not_yet_plain: "{{label}} is not available yet",
  not_yet_until: "{{label}} is available when {{condition}}",
  moved: "Moved to {{stage}}",
  voted: "Vote recorded. Waiting for others",
  out_of_sight: "Done. You no longer have access to this record.",
  leads_to: "Next stage: {{stage}}",
  reason: "Reason",
  comment: "Comment",
  create: "Create a new record",
  create_named: "Create {{name}}",
  use_named: "Use {{name}}",
  same: "Same {{labels}}",
  skip: "Don't create one",
  merge: "Fill in its empty fields",
  undo: "Undo {{label}}",
  undo_title: "Undo {{label}}?",
  undo_lead:
    "The record returns to its previous stage, and fields that this step changed return to their previous values. Records that were created and not changed since are deleted.",
  log_vote: "chose {{label}} (partial approval)",
};

export const work = {
  title: "My work",
  lead: "Records that need your action, oldest first.",
  count: "My work, {{count}} waiting",
  kinds: "Record types",
  all: "All",
  empty: "You're all caught up",
  empty_lead: "Records that need your action appear here, and you get a notification.",
};

export const comparisons = {
  joined: { and: " and ", or: " or " },
  operators: {
    "=": "is",
    "!=": "is not",
    ">": "is greater than",
    ">=": "is at least",
    "<": "is less than",
    "<=": "is at most",
    in: "is one of",
    "not in": "is none of",
    empty: "is empty",
    "not empty": "is not empty",
  },
};
