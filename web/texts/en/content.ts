// Files, comments, notifications and the warning of duplicates, in English.

export const files = {
  title: "Files",
  drop_one: "Drop a file here or choose one",
  drop_another: "Drop a file here or choose one to replace it",
  drop_many: "Drop files here or choose files",
  choose: "Add files to {{name}}",
  preview: "Preview {{name}}",
  download: "Download {{name}}",
  remove: "Remove {{name}}",
  remove_attachment: "Delete {{name}}",
  removed: "{{name}} deleted",
  restored: "{{name}} restored",
  not_saved_yet: "Not saved",
  sending: "{{percent}} uploaded",
  stop: "Cancel upload of {{name}}",
  empty: "{{name}} is empty",
  too_large: "{{name}} exceeds {{size}}",
  wrong_kind: "{{name}} has a file type that isn't allowed. Allowed types: {{kinds}}",
  choose_again: "Choose {{name}} again. Files aren't kept when the page reloads",
  none: "No files yet",
  failed: "Couldn't add {{name}}: {{reason}}",
};

export const comments = {
  earlier_answers_one: "{{count}} earlier reply",
  earlier_answers_other: "{{count}} earlier replies",
  write: "Write a comment",
  placeholder: "Add a comment or mention someone with @",
  send: "Comment",
  answer: "Reply",
  answer_to: "Reply to {{name}}",
  edit: "Edit",
  delete: "Delete",
  more: "Actions for {{name}}'s comment",
  save: "Save",
  edited: "edited",
  gone: "This comment isn't available",
  deleted: "Comment deleted",
  restored: "Comment restored",
  somebody: "Someone",
  keys: "Ctrl+Enter to send",
  people: "People you can mention",
};

export const bell = {
  title: "Notifications",
  open_one: "Notifications, {{count}} new",
  open_other: "Notifications, {{count}} new",
  none: "You're all caught up",
  none_lead: "Mentions and items that need your attention appear here.",
  read_all: "Mark all as read",
  unread: "New",
};

export const duplicates = {
  title: "Possible duplicate",
  lead: "Same {{labels}} as:",
  lead_plain: "Similar to:",
  save: "Save anyway",
  back: "Keep editing",
  opens_apart: "opens in a new tab",
};
