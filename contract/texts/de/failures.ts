// How calls fail as a whole, by the codes of contract/failures.ts: what happened, then what to do.
export const failures = {
  malformed_body: "Der Inhalt der Anfrage konnte nicht gelesen werden: {reason}",
  malformed_path: "Die Adresse konnte nicht gelesen werden: {reason}",
  malformed_parameter: "{name}: {reason}",
  too_many_keys: "Die Anfrage hat mehr als {limit} Schlüssel",
  too_deep: "Die Anfrage ist mehr als {limit} Ebenen tief verschachtelt",
  malformed_rpc: "Der JSON-RPC-Aufruf konnte nicht gelesen werden: {reason}",
  wrong_method: "{method} ist hier nicht erlaubt. Verwenden Sie {allowed}",
  too_large: "Die Anfrage ist größer als {limit}",
  result_too_large:
    "Das Ergebnis ist größer als {limit}. Fragen Sie weniger Spalten oder Zeilen ab, oder verwenden Sie den Export",
  record_too_large:
    "Der Datensatz ist zu groß zum Speichern. Kürzen Sie seine Texte, oder verteilen Sie ihn auf mehrere Datensatztypen",
  took_too_long:
    "Das hat zu lange gedauert und wurde abgebrochen. Verwenden Sie weniger Bedingungen oder Spalten, oder exportieren Sie stattdessen",
  too_much_at_once: "Ihre Organisation hat zu viele laufende Anfragen. Versuchen Sie es in {seconds} s erneut",
  too_many_streams: "Sie verfolgen Änderungen bereits über {max} Verbindungen. Schließen Sie zuerst eine",
  streams_taken: "Der Dienst hat zu viele offene Datenströme. Versuchen Sie es in {seconds} s erneut",
  client_gone: "Der Client hat die Verbindung geschlossen",
  headers_too_large: "Adresse und Header sind größer als {limit}. Senden Sie lange Parameter im Inhalt eines POST",
  range_not_satisfiable: "Bereich nicht verfügbar ({size} Bytes)",
  wrong_media_type:
    "Senden Sie multipart/form-data, application/x-www-form-urlencoded oder application/json, nicht {type}",
  login_required: "Melden Sie sich an, um auf diese Adresse zuzugreifen",
  login_failed: "Benutzername oder Passwort ist falsch",
  otp_required: "Geben Sie den Code aus Ihrer Authenticator-App ein (otp)",
  token_refused: "Das Refresh-Token ist nicht mehr gültig. Melden Sie sich erneut an",
  cookie_refused: "Dieser Aufruf verlangt sein Token im Authorization-Header, nicht in einem Cookie",
  too_many_requests: "Zu viele Anfragen. Versuchen Sie es in {seconds} s erneut",
  too_many_attempts: "Zu viele Versuche. Versuchen Sie es in {seconds} s erneut",
  read_only_key: "Dieser API-Schlüssel darf nur lesen",
  key_address_refused: "Dieser API-Schlüssel lässt sich nicht von {address} aus verwenden",
  key_required: "Senden Sie einen API-Schlüssel als Bearer-Token. Das Token einer Anmeldung wird hier nicht akzeptiert",
  key_limited: "Dieser API-Schlüssel deckt das nicht ab. Verwenden Sie einen Schlüssel mit dem nötigen Zugriff",
  signup_closed: "Die Registrierung ist geschlossen. Bitten Sie um eine Einladung",
  operation_forbidden: "Ihnen fehlt die Berechtigung „{operation}“ für {type}",
  designer_required:
    "Nur Administratoren der Organisation, die diesen Dienst betreibt, können Datensatztypen konfigurieren",
  operator_required:
    "Sie sind nicht berechtigt, die E-Mails von Organisationen zu verwalten. Wenden Sie sich an einen Administrator der Organisation, die diesen Dienst betreibt",
  form_designer_required:
    "Sie sind nicht berechtigt, Formulare für {type} zu konfigurieren. Bitten Sie einen Administrator um die Berechtigung zum Konfigurieren",
  unknown_module: "Modul {module} nicht gefunden",
  unknown_controller: "Datensatztyp {type} nicht gefunden",
  unknown_operation: "{type} hat keinen Vorgang {operation}",
  unknown_address: "Seite nicht gefunden",
  unknown_feed:
    "Diese Feed-Adresse ist ungültig. Sie wurde vielleicht widerrufen oder ist abgelaufen: Bitten Sie die Person, von der Sie sie haben, um eine neue",
  record_not_found: "{type} nicht gefunden",
  invalid: "Einige Felder müssen geprüft werden",
  unknown_action: "Senden Sie genau eine Aktion. Jetzt verfügbar: {actions}",
  unreadable_file: "Die Datei konnte nicht gelesen werden: {reason}",
  bulk_refused: "Es wurden keine Datensätze geändert: {reason}",
  stage_moved: "Dieser Datensatz ist jetzt in {stage}. Jetzt verfügbar: {actions}",
  transition_forbidden:
    "Sie können „{action}“ für diesen Datensatz nicht ausführen. Er wartet auf {actors}. Für Sie verfügbar: {actions}",
  condition_unmet: "{action} setzt voraus, dass {condition}. Jetzt verfügbar: {actions}",
  conflict: "{reason}",
  possible_duplicate: "Mögliches Duplikat von {names}. Senden Sie override_duplicates=1, um trotzdem zu speichern",
  not_confirmed: "{reason}. Senden Sie is_confirm=1 zur Bestätigung",
  newer_version:
    "Inzwischen wurde Version {version} dieses Workflows gespeichert. Es wurde nichts verschoben. Prüfen Sie die Phasen und bestätigen Sie erneut",
  administrator_required: "Nur Administratoren haben die Berechtigung „{operation}“ für {type}",
  definition_refused: "Der Datensatztyp konnte nicht gespeichert werden: {faults}",
  design_refused: "Die Konfiguration konnte nicht angewendet werden: {faults}",
  not_ready: "Der Dienst wird gestartet. Versuchen Sie es gleich noch einmal",
  database_unavailable:
    "Die Datenbank ist nicht verfügbar. Es wurde nichts geändert; versuchen Sie es gleich noch einmal",
  outcome_unknown:
    "Die Verbindung zur Datenbank ging im letzten Moment verloren, daher wurde dies möglicherweise gespeichert. Prüfen Sie es, bevor Sie es erneut senden, oder senden Sie es mit einem Idempotency-Key",
  backup_running:
    "Eine Sicherung liest gerade die Tabellen. Es wurde nichts geändert; versuchen Sie es in ein paar Minuten erneut",
  changes_forgotten:
    "Die Änderungen seit diesem Cursor sind nicht mehr verfügbar. Fordern Sie einen neuen Cursor an (ohne after), listen Sie die Datensätze erneut auf und folgen Sie dann den Änderungen",
  disk_full: "Dem Dienst fehlt Speicherplatz. Es wurde nichts gespeichert; bitten Sie den Betreiber, Platz zu schaffen",
  metrics_forbidden:
    "Metriken werden nur an diesen Rechner ausgegeben. Setzen Sie METRICS_TOKEN und senden Sie es als Bearer-Token",
  internal: "Etwas ist schiefgelaufen. Nennen Sie Ihrem Administrator die Anfrage-ID {request_id}",
} as const satisfies Record<string, string>;
