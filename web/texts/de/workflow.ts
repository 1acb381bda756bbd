// The German texts of workflows and of what waits for the reader.

export const workflow = {
  bar: "Workflow {{name}}",
  stages: "Phasen",
  more: "Mehr",
  your_turn: "Sie sind am Zug",
  waits_for: "Wartet auf {{names}}",
  agreed: "genehmigt von {{names}}",
  since: "in dieser Phase: {{age}}",
  not_yet: "Noch nicht verfügbar",
  not_yet_plain: "{{label}} ist noch nicht verfügbar",
  not_yet_until: "{{label}} ist verfügbar, wenn gilt: {{condition}}",
  moved: "Verschoben nach {{stage}}",
  voted: "Stimme erfasst. Wartet auf andere",
  out_of_sight: "Fertig. Sie haben keinen Zugriff mehr auf diesen Datensatz.",
  leads_to: "Nächste Phase: {{stage}}",
  reason: "Grund",
  comment: "Kommentar",
  create: "Neuen Datensatz erstellen",
  create_named: "{{name}} erstellen",
  use_named: "{{name}} verwenden",
  same: "Gleich: {{labels}}",
  skip: "Keinen erstellen",
  merge: "Seine leeren Felder ausfüllen",
  undo: "{{label}} rückgängig machen",
  undo_title: "{{label}} rückgängig machen?",
  undo_lead:
    "Der Datensatz kehrt in die vorherige Phase zurück, und Felder, die dieser Schritt geändert hat, erhalten ihre früheren Werte zurück. Dabei erstellte und seither nicht geänderte Datensätze werden gelöscht.",
  log_vote: "hat {{label}} gewählt (Teilgenehmigung)",
};

export const work = {
  title: "Meine Aufgaben",
  lead: "Datensätze, bei denen Sie am Zug sind, älteste zuerst.",
  count: "Meine Aufgaben, {{count}} offen",
  kinds: "Datensatztypen",
  all: "Alle",
  empty: "Alles erledigt",
  empty_lead: "Datensätze, bei denen Sie am Zug sind, erscheinen hier. Sie werden außerdem benachrichtigt.",
};

export const comparisons = {
  joined: { and: " und ", or: " oder " },
  operators: {
    "=": "ist",
    "!=": "ist nicht",
    ">": "ist größer als",
    ">=": "ist mindestens",
    "<": "ist kleiner als",
    "<=": "ist höchstens",
    in: "ist eines von",
    "not in": "ist keines von",
    empty: "ist leer",
    "not empty": "ist nicht leer",
  },
};
