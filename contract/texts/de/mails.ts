// What emails say around what people wrote: subject, paragraphs, button, small print.
export const mails = {
  mail_hello: "Guten Tag,",
  mail_invitation_subject: "{inviter} hat Sie zu {organization} eingeladen",
  mail_invitation:
    "{inviter} hat Sie eingeladen, {organization} auf Dossier beizutreten. Wählen Sie einen Benutzernamen und ein Passwort, um zu beginnen.",
  mail_invitation_button: "Einladung annehmen",
  mail_invitation_closing:
    "Diese Einladung gilt nur für Sie und läuft in {days} {days|Tag|Tagen} ab. Wenn Sie sie nicht erwartet haben, können Sie diese E-Mail ignorieren.",
  mail_password_subject: "Setzen Sie Ihr Passwort zurück",
  mail_password: "Jemand, vermutlich Sie, möchte das Passwort für den Benutzernamen {userName} zurücksetzen.",
  mail_password_button: "Neues Passwort festlegen",
  mail_password_closing:
    "Der Link funktioniert einmal und läuft in {minutes} Minuten ab. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt gleich.",
  mail_confirmation_subject: "Bestätigen Sie Ihre E-Mail-Adresse",
  mail_confirmation: "Bestätigen Sie, dass diese E-Mail-Adresse zum Benutzernamen {userName} gehört.",
  mail_confirmation_button: "E-Mail-Adresse bestätigen",
  mail_confirmation_closing:
    "Der Link funktioniert einmal und läuft in {days} {days|Tag|Tagen} ab. Wenn Sie sich nicht registriert haben, können Sie diese E-Mail ignorieren.",
  mail_mention_subject: "{by} hat Sie erwähnt: {record}",
  mail_mention: "{by} hat Sie in einem Kommentar zu {record} erwähnt:",
  mail_mention_closing: "Sie erhalten diese E-Mail, weil jemand Sie erwähnt hat.",
  mail_open_record: "Datensatz öffnen",
  mail_open: "{record} öffnen",
  mail_workflow_closing:
    "Sie erhalten diese E-Mail, weil ein Datensatz aktualisiert wurde, für den Sie verantwortlich sind oder dem Sie folgen.",
  mail_yes: "Ja",
  mail_no: "Nein",
  note_your_turn: "{type}: Sie sind am Zug ({stage})",
  note_changed: "{by} hat {record} geändert",
  note_changed_many: "{by} hat viele {records} geändert, denen Sie folgen, darunter {record}",
  note_moved: "{by} hat {record} nach {stage} verschoben",
  note_mentioned: "{by} hat Sie bei {record} erwähnt: {text}",
  note_replied: "{by} hat Ihnen bei {record} geantwortet: {text}",
  note_commented: "{by} hat {record} kommentiert: {text}",
  note_backup_failed: "Die geplante Sicherung ist fehlgeschlagen. {detail}",
  note_mail_held: "{emails} zurückgehalten. {why}",
  note_mail_held_gone: "{emails} zurückgehalten. {why} {gone} haben 7 Tage gewartet und werden nicht gesendet.",
  some_emails: "{count} {count|E-Mail|E-Mails}",
  hold_unconfirmed:
    "Ein Administrator muss seine eigene E-Mail-Adresse bestätigen, bevor diese Organisation anderen E-Mails senden darf.",
  hold_outside:
    "Diese Organisation darf noch keine E-Mails nach außen senden. Bitten Sie den Betreiber dieses Dienstes, es zu erlauben.",
  hold_quota:
    "Diese Organisation hat ihr E-Mail-Limit erreicht. Die E-Mails werden gesendet, sobald das Limit es zulässt.",
  hold_recipient:
    "Der Empfänger hat innerhalb einer Stunde zu viele E-Mails erhalten. Die E-Mail wird später gesendet.",
} as const satisfies Record<string, string>;
