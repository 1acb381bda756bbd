// The French texts of amounts in several currencies.

export const money = {
  converted: "Converti aux taux de change du {{date}}",
  no_rate: "Un taux de change manque : les montants sont affichés par devise",
  not_comparable: "Les montants sont dans des devises différentes et ne peuvent pas être comparés dans un graphique",
  mixed: "Les montants en devises différentes sont triés et filtrés sur leur seule valeur numérique",
  import_rates: "Importer les taux",
  import_failed: "Impossible d’importer les taux de change",
};
