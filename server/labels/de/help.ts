// The help of the fields that ship, in German.
export const help = {
  "<module>/<controller>": "<module>/<controller>",
  "<module>/<controller>, or * for all others": "<module>/<controller> oder * für alle anderen",
  "A different currency than the one above": "Eine andere Währung als die obige",
  "Actors on whose behalf the vote counts": "Zuständige, in deren Namen die Stimme zählt",
  "Available to people who sign up. Administrator roles can't be offered":
    "Steht bei der Registrierung zur Wahl. Administratorrollen lassen sich nicht anbieten",
  "Changes are sent here by POST": "Änderungen werden per POST hierhin gesendet",
  "Each changed field with its old and new value": "Jedes geänderte Feld mit altem und neuem Wert",
  "Email domains whose users can join, one per line": "E-Mail-Domains, deren Benutzer beitreten können, eine pro Zeile",
  "Everyone must accept this version after their next sign-in":
    "Alle müssen diese Version nach ihrer nächsten Anmeldung akzeptieren",
  "Fields, conditions, order and column properties, as in q":
    "Felder, Bedingungen, Reihenfolge und Spalteneigenschaften, wie in q",
  "First part of its URLs, such as crm": "Erster Teil der URLs, etwa crm",
  "Has full access to the organization": "Hat vollen Zugriff auf die Organisation",
  "How much of the second currency one unit of the first currency buys":
    "Wie viel der zweiten Währung man für eine Einheit der ersten bekommt",
  "HTML: headings, paragraphs, lists, tables, links, emphasis":
    "HTML: Überschriften, Absätze, Listen, Tabellen, Links, Hervorhebungen",
  "Kept as a number, even if the user is deleted": "Bleibt als Nummer erhalten, auch wenn der Benutzer gelöscht wird",
  "Leave empty for no expiry": "Leer lassen, wenn nichts ablaufen soll",
  "Leave empty to send all changes": "Leer lassen, um alle Änderungen zu senden",
  "List views in their order, each with its id and size": "Listenansichten in ihrer Reihenfolge, jede mit ID und Größe",
  "move, approve, reject or recall": "move, approve, reject oder recall",
  "Name of its module": "Name des Moduls",
  "New records start in this workflow": "Neue Datensätze beginnen in diesem Workflow",
  "No longer in the latest version": "Nicht mehr in der neuesten Version",
  "Offset from UTC during daylight saving time. Empty if there is none":
    "Abweichung von UTC während der Sommerzeit. Leer, wenn es keine gibt",
  "Offset from UTC, such as +05:30": "Abweichung von UTC, etwa +05:30",
  "Leave empty to send changes to all records": "Leer lassen, um Änderungen an allen Datensätzen zu senden",
  "Parameters of an import, such as mapping, mode and key": "Parameter eines Imports, etwa mapping, mode und key",
  "Place of the change among all of the organization": "Stelle der Änderung unter allen der Organisation",
  "Read from the query if it names one": "Wird aus der Abfrage gelesen, wenn sie einen nennt",
  "Records created by this step": "In diesem Schritt erstellte Datensätze",
  "Records processed so far, including failed ones": "Bisher verarbeitete Datensätze, einschließlich fehlgeschlagener",
  "Replaces the default form. If several are active, the latest one is used":
    "Ersetzt das Standardformular. Sind mehrere aktiv, gilt das neueste",
  "Revision created by this step": "In diesem Schritt entstandene Revision",
  "Role codes, separated by spaces. Hiding changes the navigation, not what people can access":
    "Rollencodes, durch Leerzeichen getrennt. Ausblenden ändert die Navigation, nicht den Zugriff",
  "Sends only what this user can see": "Sendet nur, was dieser Benutzer sehen darf",
  "Stages and the transitions between them": "Phasen und die Übergänge zwischen ihnen",
  "start, move or vote": "start, move oder vote",
  "start, stage or end": "start, stage oder end",
  "Such as crm/leads/index": "Etwa crm/leads/index",
  "Tabs or sections of elements: fields, grids of children, related lists":
    "Tabs oder Abschnitte mit Elementen: Felder, Tabellen untergeordneter Datensätze, verknüpfte Listen",
  "The beginning of the answer": "Der Anfang der Antwort",
  "The kind of notification, such as mention": "Die Art der Benachrichtigung, etwa mention",
  "The label exactly as it was written in the designer, including upper and lower case":
    "Die Bezeichnung genau wie im Designer geschrieben, auch in Groß- und Kleinschreibung",
  "The rate applies from this day on": "Der Kurs gilt ab diesem Tag",
  "The user or group the record is shared with": "Der Benutzer oder die Gruppe, für die der Datensatz freigegeben ist",
  "This organization runs the server": "Diese Organisation betreibt den Server",
  "Unique within its module, such as leads": "Eindeutig innerhalb des Moduls, etwa leads",
  "Used by policies. Can't be changed": "Wird von Richtlinien verwendet. Lässt sich nicht ändern",
  "Visible only to its owner": "Nur für die verantwortliche Person sichtbar",
  "Visible to its owner and to those it is shared with":
    "Sichtbar für die verantwortliche Person und alle, für die freigegeben wurde",
  "Who can view, edit, delete and comment. Replaces the record type's own rules":
    "Wer ansehen, bearbeiten, löschen und kommentieren darf. Ersetzt die Regeln des Datensatztyps",
  "Addresses the key works from, such as 203.0.113.7 or 10.0.0.0/8. Leave empty for everywhere":
    "Adressen, von denen aus der Schlüssel funktioniert, etwa 203.0.113.7 oder 10.0.0.0/8. Leer lassen für überall",
  'By record type, what the key can be used for, such as {"crm/leads": ["read"], "access_controls/users": ["view"]}. Leave empty for everything its user can do':
    'Wofür der Schlüssel verwendet werden kann, nach Datensatztyp, etwa {"crm/leads": ["read"], "access_controls/users": ["view"]}. Leer lassen für alles, was der Benutzer darf',
  "For programs: has no password or email and signs in with API keys that administrators create":
    "Für ein Programm: hat weder Passwort noch E-Mail und meldet sich mit API-Schlüsseln an, die Administratoren erstellen",
};
