// The Spanish texts of amounts in several currencies.

export const money = {
  converted: "Convertido con los tipos de cambio del {{date}}",
  no_rate: "Falta un tipo de cambio, así que los importes se muestran por moneda",
  not_comparable: "Los importes están en monedas distintas y no se pueden comparar en un gráfico",
  mixed: "Los importes en monedas distintas se ordenan y filtran solo por su número",
  import_rates: "Importar tipos de cambio",
  import_failed: "No se pudieron importar los tipos de cambio",
};
