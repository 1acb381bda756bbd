// The texts that are there before anybody is logged in, in German: the way in, and what can go wrong anywhere.
// Glossary: record Datensatz, record type Datensatztyp, field Feld, view Ansicht, list Liste, stage Phase, actor Zuständige, owner
// verantwortliche Person (as a label: Verantwortlich), lead Lead, company Unternehmen, opportunity Verkaufschance, quote Angebot, job
// Vorgang, bulk change Massenänderung, design Konfiguration, policy Richtlinie, recycle bin Papierkorb, metric Kennzahl, tile Kachel.
// Formal address (Sie). Labels of any gender fit in: "Lead erstellen", never "Neuer Lead". Quotes „…“, "50 %" with a no-break space.

export const ground = {
  brand: "Dossier",
  page_title: "{{page}} · Dossier",
  actions: {
    save_continue: "Speichern und weiter",
    cancel: "Abbrechen",
    close: "Schließen",
    copy: "Kopieren",
    copied: "Kopiert",
    done: "Fertig",
    retry: "Erneut versuchen",
    reload: "Neu laden",
    home: "Zur Startseite",
    clear: "Leeren",
  },
  login: {
    code: "Code",
    code_lead: "Sechs Ziffern aus Ihrer Authenticator-App oder ein Wiederherstellungscode.",
    code_wrong:
      "Der Code ist falsch oder wurde bereits verwendet. Warten Sie auf den nächsten und versuchen Sie es erneut.",
    missing_code: "Geben Sie den Code ein",
    back: "Zurück",
    again: "Zum Fortfahren anmelden",
    again_lead:
      "Ihre Sitzung ist abgelaufen. Ihre Änderungen sind noch da und werden gespeichert, sobald Sie sich anmelden.",
    again_as: "Als {{name}}",
    leave: "Seite verlassen",
    title: "Anmelden",
    lead: "Melden Sie sich bei Ihrem Konto an.",
    user_name: "Benutzername oder E-Mail",
    password: "Passwort",
    show_password: "Passwort anzeigen",
    caps_lock: "Die Feststelltaste ist aktiviert",
    submit: "Anmelden",
    missing_user_name: "Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein",
    missing_password: "Geben Sie Ihr Passwort ein",
    failed: "Anmeldung fehlgeschlagen",
    throttled: "Zu viele Versuche",
    throttled_wait_one: "Versuchen Sie es in {{count}} Sekunde erneut.",
    throttled_wait_other: "Versuchen Sie es in {{count}} Sekunden erneut.",
    unreachable: "Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.",
    expired: "Ihre Sitzung ist abgelaufen. Melden Sie sich an, um fortzufahren.",
    left: "Sie sind abgemeldet.",
    signup: "Konto erstellen",
    forgotten: "Passwort vergessen?",
  },
  states: {
    not_found: "Seite nicht gefunden",
    not_found_lead: "Prüfen Sie die Adresse. Die Seite wurde möglicherweise gelöscht, oder Sie haben keinen Zugriff.",
    new_version: "Eine neue Version ist verfügbar",
    new_version_lead: "Laden Sie die Seite neu, um fortzufahren. Was gespeichert ist, bleibt erhalten.",
    part_missing: "Dieser Teil der App konnte nicht geladen werden",
    part_missing_lead: "Prüfen Sie Ihre Verbindung und laden Sie dann die Seite neu.",
    part_missing_retry: "Prüfen Sie Ihre Verbindung und versuchen Sie es dann erneut.",
    part_failed:
      "Dieser Teil der App konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut, oder laden Sie die Seite neu.",
    no_type: "Datensatztyp {{type}} nicht gefunden",
    forbidden: "Sie haben keinen Zugriff",
    failed: "Etwas ist schiefgelaufen",
    failed_lead:
      "Was Sie gespeichert haben, ist sicher. Versuchen Sie es erneut. Besteht das Problem weiter, senden Sie die Anfrage-ID an Ihren Administrator.",
    request_id: "Anfrage-ID",
    offline: "Server nicht erreichbar",
    offline_lead: "Prüfen Sie Ihre Verbindung. Die Seite wird automatisch neu geladen, sobald der Server antwortet.",
    starting: "Der Server ist noch nicht bereit",
    starting_lead:
      "Er wird möglicherweise gerade gestartet oder aktualisiert. Die Seite wird automatisch neu geladen, sobald er bereit ist.",
    loading: "Wird geladen",
  },
};

export type GroundTexts = typeof ground;
