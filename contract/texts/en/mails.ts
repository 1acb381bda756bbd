// What emails say around what people wrote: subject, paragraphs, button, small print.
export const mails = {
  mail_hello: "Hello,",
  mail_invitation_subject: "{inviter} invited you to {organization}",
  mail_invitation:
    "{inviter} invited you to join {organization} on Dossier. Choose a user name and a password to get started.",
  mail_invitation_button: "Accept invitation",
  mail_invitation_closing:
    "This invitation is for you only and expires in {days} {days|day|days}. If you weren't expecting it, you can ignore this email.",
  mail_password_subject: "Reset your password",
  mail_password: "Someone, probably you, asked to reset the password for the user name {userName}.",
  mail_password_button: "Choose a new password",
  mail_password_closing:
    "The link works once and expires in {minutes} minutes. If this wasn't you, ignore this email: your password stays the same.",
  mail_confirmation_subject: "Confirm your email address",
  mail_confirmation: "Confirm that this email address belongs to the user name {userName}.",
  mail_confirmation_button: "Confirm email address",
  mail_confirmation_closing:
    "The link works once and expires in {days} {days|day|days}. If you didn't sign up, you can ignore this email.",
  mail_mention_subject: "{by} mentioned you: {record}",
  mail_mention: "{by} mentioned you in a comment on {record}:",
  mail_mention_closing: "You received this because someone mentioned you.",
  mail_open_record: "Open record",
  mail_open: "Open {record}",
  mail_workflow_closing: "You received this because a record you own or follow was updated.",
  mail_yes: "Yes",
  mail_no: "No",
  note_your_turn: "{type}: your action needed ({stage})",
  note_changed: "{by} changed {record}",
  note_changed_many: "{by} changed many {records} you follow, including {record}",
  note_moved: "{by} moved {record} to {stage}",
  note_mentioned: "{by} mentioned you on {record}: {text}",
  note_replied: "{by} replied to you on {record}: {text}",
  note_commented: "{by} commented on {record}: {text}",
  note_backup_failed: "The scheduled backup failed. {detail}",
  note_mail_held: "{emails} on hold. {why}",
  note_mail_held_gone: "{emails} on hold. {why} {gone} waited for 7 days and won't be sent.",
  some_emails: "{count} {count|email|emails}",
  hold_unconfirmed:
    "An administrator must confirm their own email address before this organization can email anyone else.",
  hold_outside:
    "This organization isn't allowed to email people outside it yet. Ask the operator of this service to allow it.",
  hold_quota: "This organization reached its email limit. The emails will be sent as soon as the limit allows.",
  hold_recipient: "The recipient has received too many emails within an hour. The email will be sent later.",
} as const satisfies Record<string, string>;
