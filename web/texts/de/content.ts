// Files, comments, notifications and the warning of duplicates, in German.

export const files = {
  title: "Dateien",
  drop_one: "Datei hier ablegen oder auswählen",
  drop_another: "Datei zum Ersetzen hier ablegen oder auswählen",
  drop_many: "Dateien hier ablegen oder auswählen",
  choose: "Dateien zu {{name}} hinzufügen",
  preview: "Vorschau von {{name}}",
  download: "{{name}} herunterladen",
  remove: "{{name}} entfernen",
  remove_attachment: "{{name}} löschen",
  removed: "{{name}} gelöscht",
  restored: "{{name}} wiederhergestellt",
  not_saved_yet: "Nicht gespeichert",
  sending: "{{percent}} hochgeladen",
  stop: "Hochladen von {{name}} abbrechen",
  empty: "{{name}} ist leer",
  too_large: "{{name}} ist größer als {{size}}",
  wrong_kind: "Der Dateityp von {{name}} ist nicht erlaubt. Erlaubte Typen: {{kinds}}",
  choose_again: "Wählen Sie {{name}} erneut aus. Dateien bleiben beim Neuladen der Seite nicht erhalten",
  none: "Noch keine Dateien",
  failed: "{{name}} konnte nicht hinzugefügt werden: {{reason}}",
};

export const comments = {
  earlier_answers_one: "{{count}} frühere Antwort",
  earlier_answers_other: "{{count}} frühere Antworten",
  write: "Kommentar schreiben",
  placeholder: "Kommentar hinzufügen oder jemanden mit @ erwähnen",
  send: "Kommentieren",
  answer: "Antworten",
  answer_to: "{{name}} antworten",
  edit: "Bearbeiten",
  delete: "Löschen",
  more: "Aktionen für den Kommentar von {{name}}",
  save: "Speichern",
  edited: "bearbeitet",
  gone: "Dieser Kommentar ist nicht verfügbar",
  deleted: "Kommentar gelöscht",
  restored: "Kommentar wiederhergestellt",
  somebody: "Jemand",
  keys: "Strg+Enter zum Senden",
  people: "Personen, die Sie erwähnen können",
};

export const bell = {
  title: "Benachrichtigungen",
  open_one: "Benachrichtigungen, {{count}} neue",
  open_other: "Benachrichtigungen, {{count}} neue",
  none: "Alles erledigt",
  none_lead: "Erwähnungen und Einträge, die auf Sie warten, erscheinen hier.",
  read_all: "Alle als gelesen markieren",
  unread: "Neu",
};

export const duplicates = {
  title: "Mögliches Duplikat",
  lead: "Gleich bei {{labels}} wie:",
  lead_plain: "Ähnlich wie:",
  save: "Trotzdem speichern",
  back: "Weiter bearbeiten",
  opens_apart: "öffnet sich in einem neuen Tab",
};
