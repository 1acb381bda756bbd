// Files, comments, notifications and the warning of duplicates, in English.

export const files = {
  title: "Files",
  drop_one: "Drop a file here, or choose one",
  drop_another: "Drop another here, or choose one, in its place",
  drop_many: "Drop files here, or choose some",
  choose: "Add files to {{name}}",
  preview: "Look at {{name}}",
  download: "Download {{name}}",
  remove: "Take {{name}} out",
  remove_attachment: "Delete {{name}}",
  removed: "{{name}} is deleted",
  restored: "{{name}} is back",
  not_saved_yet: "Not saved yet",
  sending: "{{percent}} sent",
  stop: "Stop sending {{name}}",
  empty: "{{name}} is empty",
  too_large: "{{name}} is larger than {{size}}",
  wrong_kind: "{{name}} is of another kind; taken are {{kinds}}",
  choose_again: "Choose {{name}} again: files do not outlive a reload",
  none: "No files yet",
  failed: "{{name}} was not added: {{reason}}",
};

export const comments = {
  title: "Comments",
  none: "Nothing said yet. Mention a colleague with @ and they will hear of it.",
  none_readonly: "Nothing said yet.",
  write: "Write a comment",
  placeholder: "Comment, or mention with @",
  send: "Comment",
  answer: "Answer",
  answer_to: "Answer {{name}}",
  edit: "Edit",
  delete: "Delete",
  more: "What to do with the comment of {{name}}",
  save: "Save",
  edited: "edited",
  gone: "This comment was deleted",
  deleted: "The comment is deleted",
  restored: "The comment is back",
  somebody: "Somebody",
  keys: "Ctrl + Enter sends",
  people: "People who can be mentioned",
};

export const bell = {
  title: "Notifications",
  open_one: "Notifications, {{count}} new",
  open_other: "Notifications, {{count}} new",
  none: "You are up to date",
  none_lead: "When somebody mentions you or something waits for you, it is told here.",
  read_all: "Mark all as read",
  unread: "New",
};

export const duplicates = {
  title: "This may be here already",
  lead: "It has the same {{labels}} as:",
  lead_plain: "It looks like:",
  save: "Save anyway",
  back: "Go on editing",
  opens_apart: "opens in a new tab",
};
