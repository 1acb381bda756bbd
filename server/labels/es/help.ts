// The help of the fields that ship, in Spanish.
export const help = {
  "<module>/<controller>": "<module>/<controller>",
  "<module>/<controller>, or * for all others": "<module>/<controller>, o * para todos los demás",
  "A different currency than the one above": "Una moneda distinta de la anterior",
  "Actors on whose behalf the vote counts": "Responsables en cuyo nombre cuenta el voto",
  "Available to people who sign up. Administrator roles can't be offered":
    "Disponible para quienes crean una cuenta. No se pueden ofrecer roles de administrador",
  "Changes are sent here by POST": "Los cambios se envían aquí por POST",
  "Each changed field with its old and new value": "Cada campo modificado, con su valor anterior y el nuevo",
  "Email domains whose users can join, one per line": "Dominios de correo cuyos usuarios pueden unirse, uno por línea",
  "Everyone must accept this version after their next sign-in":
    "Todos deben aceptar esta versión tras su próximo inicio de sesión",
  "Fields, conditions, order and column properties, as in q":
    "Campos, condiciones, orden y propiedades de columnas, como en q",
  "First part of its URLs, such as crm": "Primera parte de sus URL, como crm",
  "Has full access to the organization": "Tiene acceso completo a la organización",
  "How much of the second currency one unit of the first currency buys":
    "Cuánto de la segunda moneda equivale a una unidad de la primera",
  "HTML: headings, paragraphs, lists, tables, links, emphasis":
    "HTML: títulos, párrafos, listas, tablas, enlaces, énfasis",
  "Kept as a number, even if the user is deleted": "Se conserva como número, aunque se elimine el usuario",
  "Leave empty for no expiry": "Déjelo vacío para que no caduque",
  "Leave empty to send all changes": "Déjelo vacío para enviar todos los cambios",
  "List views in their order, each with its id and size": "Vistas de lista en su orden, cada una con su ID y tamaño",
  "move, approve, reject or recall": "move, approve, reject o recall",
  "Name of its module": "Nombre de su módulo",
  "New records start in this workflow": "Los registros nuevos empiezan en este flujo de trabajo",
  "No longer in the latest version": "Ya no está en la última versión",
  "Offset from UTC during daylight saving time. Empty if there is none":
    "Diferencia con UTC durante el horario de verano. Vacío si no lo hay",
  "Offset from UTC, such as +05:30": "Diferencia con UTC, como +05:30",
  "Leave empty to send changes to all records": "Déjelo vacío para enviar los cambios de todos los registros",
  "Parameters of an import, such as mapping, mode and key": "Parámetros de una importación, como mapping, mode y key",
  "Place of the change among all of the organization": "Posición del cambio entre todos los de la organización",
  "Read from the query if it names one": "Se toma de la consulta si esta lo indica",
  "Records created by this step": "Registros creados en este paso",
  "Records processed so far, including failed ones": "Registros procesados hasta ahora, incluidos los fallidos",
  "Replaces the default form. If several are active, the latest one is used":
    "Sustituye al formulario predeterminado. Si hay varios activos, se usa el más reciente",
  "Revision created by this step": "Revisión creada en este paso",
  "Role codes, separated by spaces. Hiding changes the navigation, not what people can access":
    "Códigos de roles separados por espacios. Ocultar cambia la navegación, no aquello a lo que se puede acceder",
  "Sends only what this user can see": "Envía solo lo que este usuario puede ver",
  "Stages and the transitions between them": "Etapas y transiciones entre ellas",
  "start, move or vote": "start, move o vote",
  "start, stage or end": "start, stage o end",
  "Such as crm/leads/index": "Por ejemplo, crm/leads/index",
  "Tabs or sections of elements: fields, grids of children, related lists":
    "Pestañas o secciones de elementos: campos, tablas de registros secundarios, listas relacionadas",
  "The beginning of the answer": "El principio de la respuesta",
  "The kind of notification, such as mention": "La clase de notificación, como mention",
  "The label exactly as it was written in the designer, including upper and lower case":
    "La etiqueta tal como se escribió en el diseñador, incluidas mayúsculas y minúsculas",
  "The rate applies from this day on": "El tipo de cambio se aplica a partir de este día",
  "The user or group the record is shared with": "El usuario o grupo con el que se comparte el registro",
  "This organization runs the server": "Esta organización gestiona el servidor",
  "Unique within its module, such as leads": "Único dentro de su módulo, como leads",
  "Used by policies. Can't be changed": "Lo usan las políticas. No se puede cambiar",
  "Visible only to its owner": "Visible solo para su propietario",
  "Visible to its owner and to those it is shared with":
    "Visible para su propietario y para quienes lo tienen compartido",
  "Who can view, edit, delete and comment. Replaces the record type's own rules":
    "Quién puede ver, editar, eliminar y comentar. Sustituye las reglas propias del tipo de registro",
  "Addresses the key works from, such as 203.0.113.7 or 10.0.0.0/8. Leave empty for everywhere":
    "Direcciones desde las que funciona la clave, como 203.0.113.7 o 10.0.0.0/8. Déjelo vacío para permitir cualquiera",
  'By record type, what the key can be used for, such as {"crm/leads": ["read"], "access_controls/users": ["view"]}. Leave empty for everything its user can do':
    'Por tipo de registro, para qué se puede usar la clave, como {"crm/leads": ["read"], "access_controls/users": ["view"]}. Déjelo vacío para permitir todo lo que puede hacer su usuario',
  "For programs: has no password or email and signs in with API keys that administrators create":
    "Para un programa: no tiene contraseña ni correo, y accede con claves de API que crean los administradores",
};
