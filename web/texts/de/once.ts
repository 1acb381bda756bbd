// Texts of what is shown once, and of how a new user signs in, in German.

export const once = {
  invitation_link: "Einladungslink",
  invitation_link_lead:
    "Dieser Link wird nur einmal angezeigt und ist 7 Tage gültig. Senden Sie ihn nur an die eingeladene Person: Wer ihn hat, kann damit beitreten.",
  password_link: "Link zum Festlegen eines Passworts",
  password_link_lead:
    "Dieser Link wird nur einmal angezeigt und ist 7 Tage gültig. Senden Sie ihn nur an diesen Benutzer: Wer ihn hat, kann das Passwort festlegen und sich anmelden.",
  webhook_secret: "Signaturgeheimnis",
  webhook_secret_lead:
    "Dieses Geheimnis wird nur einmal angezeigt. Bewahren Sie es dort auf, wo der Endpunkt es lesen kann: Es belegt, dass Zustellungen von hier kommen.",
  feed_address: "Feed-Adresse",
  feed_address_lead:
    "Diese Adresse wird nur einmal angezeigt. Fügen Sie sie in Ihren Kalender, Feedreader oder Ihre Tabelle ein. Wer sie hat, kann die Liste lesen; löschen Sie den Feed-Link, um den Zugriff zu widerrufen.",
  secret: "Geheimnis",
  link: "Link",
  copy_link: "Link kopieren",
};

export const new_user = {
  title: "So meldet sich dieser Benutzer an",
  by_mail:
    "Wir senden an {{email}} einen Link zum Festlegen eines Passworts. Nach dem Speichern können Sie auch einen Link kopieren und selbst senden.",
  by_file:
    "Es ist kein Mailserver eingerichtet, daher erreicht keine E-Mail {{email}}. Kopieren Sie nach dem Speichern den Link und senden Sie ihn dem Benutzer.",
  by_link:
    "Ohne E-Mail-Adresse wird keine Einladung gesendet. Kopieren Sie nach dem Speichern den Link und senden Sie ihn dem Benutzer, oder fügen Sie unten eine E-Mail-Adresse hinzu.",
};
