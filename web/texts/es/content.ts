// Files, comments, notifications and the warning of duplicates, in Spanish.

export const files = {
  title: "Archivos",
  drop_one: "Suelte un archivo aquí o elíjalo",
  drop_another: "Suelte un archivo aquí o elíjalo para sustituirlo",
  drop_many: "Suelte archivos aquí o elíjalos",
  choose: "Añadir archivos a {{name}}",
  preview: "Vista previa de {{name}}",
  download: "Descargar {{name}}",
  remove: "Quitar {{name}}",
  remove_attachment: "Eliminar {{name}}",
  removed: "Se eliminó {{name}}",
  restored: "Se restauró {{name}}",
  not_saved_yet: "Sin guardar",
  sending: "{{percent}} subido",
  stop: "Cancelar la subida de {{name}}",
  empty: "{{name}} está vacío",
  too_large: "{{name}} supera {{size}}",
  wrong_kind: "{{name}} es de un tipo de archivo no permitido. Tipos permitidos: {{kinds}}",
  choose_again: "Elija {{name}} de nuevo. Los archivos no se conservan al volver a cargar la página",
  none: "Aún no hay archivos",
  failed: "No se pudo añadir {{name}}: {{reason}}",
};

export const comments = {
  earlier_answers_one: "{{count}} respuesta anterior",
  earlier_answers_many: "{{count}} de respuestas anteriores",
  earlier_answers_other: "{{count}} respuestas anteriores",
  write: "Escribir un comentario",
  placeholder: "Añada un comentario o mencione a alguien con @",
  send: "Comentar",
  answer: "Responder",
  answer_to: "Responder a {{name}}",
  edit: "Editar",
  delete: "Eliminar",
  more: "Acciones para el comentario de {{name}}",
  save: "Guardar",
  edited: "editado",
  gone: "Este comentario no está disponible",
  deleted: "Comentario eliminado",
  restored: "Comentario restaurado",
  somebody: "Alguien",
  keys: "Ctrl+Intro para enviar",
  people: "Personas que puede mencionar",
};

export const bell = {
  title: "Notificaciones",
  open_one: "Notificaciones, {{count}} nueva",
  open_many: "Notificaciones, {{count}} nuevas",
  open_other: "Notificaciones, {{count}} nuevas",
  none: "Está al día",
  none_lead: "Aquí aparecen las menciones y lo que requiere su atención.",
  read_all: "Marcar todo como leído",
  unread: "Nuevo",
};

export const duplicates = {
  title: "Posible duplicado",
  lead: "Mismos datos ({{labels}}) que:",
  lead_plain: "Similar a:",
  save: "Guardar de todos modos",
  back: "Seguir editando",
  opens_apart: "se abre en una pestaña nueva",
};
