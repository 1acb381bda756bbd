// The Spanish texts of workflows and of what waits for the reader.

export const workflow = {
  bar: "Flujo de trabajo {{name}}",
  stages: "Etapas",
  more: "Más",
  your_turn: "Se requiere su acción",
  waits_for: "A la espera de {{names}}",
  agreed: "con la aprobación de {{names}}",
  since: "en esta etapa desde hace {{age}}",
  not_yet: "Aún no disponible",
  not_yet_plain: "{{label}} aún no está disponible",
  not_yet_until: "{{label}} está disponible cuando {{condition}}",
  moved: "Movido a {{stage}}",
  voted: "Voto registrado. A la espera de los demás",
  out_of_sight: "Listo. Ya no tiene acceso a este registro.",
  leads_to: "Etapa siguiente: {{stage}}",
  reason: "Motivo",
  comment: "Comentario",
  create: "Crear un registro nuevo",
  create_named: "Crear {{name}}",
  use_named: "Usar {{name}}",
  same: "Mismos datos: {{labels}}",
  skip: "No crear ninguno",
  merge: "Rellenar sus campos vacíos",
  undo: "Deshacer {{label}}",
  undo_title: "¿Deshacer {{label}}?",
  undo_lead:
    "El registro vuelve a su etapa anterior y los campos que cambió este paso recuperan sus valores anteriores. Se eliminan los registros que se crearon y no se han modificado desde entonces.",
  log_vote: "eligió {{label}} (aprobación parcial)",
};

export const work = {
  title: "Mi trabajo",
  lead: "Registros que requieren su acción, los más antiguos primero.",
  count: "Mi trabajo, {{count}} en espera",
  kinds: "Tipos de registro",
  all: "Todos",
  empty: "Está al día",
  empty_lead: "Los registros que requieren su acción aparecen aquí y recibe una notificación.",
};

export const comparisons = {
  joined: { and: " y ", or: " o " },
  operators: {
    "=": "es",
    "!=": "no es",
    ">": "es mayor que",
    ">=": "es como mínimo",
    "<": "es menor que",
    "<=": "es como máximo",
    in: "es uno de",
    "not in": "no es ninguno de",
    empty: "está vacío",
    "not empty": "no está vacío",
  },
};
