// The German texts of amounts in several currencies.

export const money = {
  converted: "Umgerechnet zu den Wechselkursen vom {{date}}",
  no_rate: "Ein Wechselkurs fehlt, daher werden Beträge je Währung angezeigt",
  not_comparable: "Die Beträge haben verschiedene Währungen und lassen sich nicht in einem Diagramm vergleichen",
  mixed: "Beträge in verschiedenen Währungen werden nur nach ihrer Zahl sortiert und gefiltert",
  import_rates: "Kurse importieren",
  import_failed: "Wechselkurse konnten nicht importiert werden",
};
