// How calls fail as a whole, in Spanish.
import type { failures as english } from "../en/failures.ts";

export const failures = {
  malformed_body: "No se pudo leer el cuerpo de la solicitud: {reason}",
  malformed_path: "No se pudo leer la dirección: {reason}",
  malformed_parameter: "{name}: {reason}",
  too_many_keys: "La solicitud tiene más de {limit} claves",
  too_deep: "La solicitud tiene más de {limit} niveles de anidamiento",
  malformed_rpc: "No se pudo leer la llamada JSON-RPC: {reason}",
  wrong_method: "{method} no se permite aquí. Use {allowed}",
  too_large: "La solicitud supera {limit}",
  result_too_large: "El resultado supera {limit}. Pida menos columnas o filas, o use la exportación",
  record_too_large:
    "El registro es demasiado grande para guardarlo. Acorte sus textos o repártalo en varios tipos de registro",
  took_too_long: "La operación tardó demasiado y se detuvo. Use menos condiciones o columnas, o exporte los datos",
  too_much_at_once: "Su organización tiene demasiadas solicitudes en curso. Vuelva a intentarlo en {seconds} s",
  too_many_streams: "Ya sigue los cambios con {max} conexiones. Cierre una primero",
  streams_taken: "El servicio tiene demasiadas transmisiones abiertas. Vuelva a intentarlo en {seconds} s",
  client_gone: "El cliente cerró la conexión",
  headers_too_large:
    "La dirección y los encabezados superan {limit}. Envíe los parámetros largos en el cuerpo de una solicitud POST",
  range_not_satisfiable: "El intervalo solicitado no está disponible ({size} bytes)",
  wrong_media_type: "Envíe multipart/form-data, application/x-www-form-urlencoded o application/json, no {type}",
  login_required: "Client need to login to access this URL",
  login_failed: "El nombre de usuario o la contraseña no son correctos",
  otp_required: "Escriba el código de su aplicación de autenticación (otp)",
  token_refused: "El token de renovación ya no es válido. Inicie sesión de nuevo",
  cookie_refused: "Esta llamada requiere el token en el encabezado Authorization, no en una cookie",
  too_many_requests: "Demasiadas solicitudes. Vuelva a intentarlo en {seconds} s",
  too_many_attempts: "Demasiados intentos. Vuelva a intentarlo en {seconds} s",
  read_only_key: "Esta clave de API es de solo lectura",
  key_address_refused: "Esta clave de API no se puede usar desde {address}",
  key_required:
    "Envíe una clave de API como token de portador (bearer). Aquí no se acepta el token de un inicio de sesión",
  key_limited: "Esta clave de API no permite esta operación. Use una clave con el acceso necesario",
  signup_closed: "No se admiten cuentas nuevas. Pida una invitación",
  operation_forbidden: "No tiene permiso para {operation} {type}",
  designer_required:
    "Solo los administradores de la organización que gestiona este servicio pueden diseñar tipos de registro",
  operator_required:
    "No tiene permiso para gestionar el correo de las organizaciones. Consulte a un administrador de la organización que gestiona este servicio",
  form_designer_required:
    "No tiene permiso para diseñar formularios de {type}. Pida a un administrador el permiso de diseño",
  unknown_module: "No se encontró el módulo {module}",
  unknown_controller: "No se encontró el tipo de registro {type}",
  unknown_operation: "{type} no tiene la operación {operation}",
  unknown_address: "No se encontró la página",
  unknown_feed:
    "Esta dirección de fuente no es válida. Puede que se haya revocado o que haya caducado: pida una nueva a quien se la dio",
  record_not_found: "{type}: no se encontró el registro",
  invalid: "Revise los campos marcados",
  unknown_action: "Envíe exactamente una acción. Disponibles ahora: {actions}",
  unreadable_file: "No se pudo leer el archivo: {reason}",
  bulk_refused: "No se modificó ningún registro: {reason}",
  stage_moved: "Este registro pasó a la etapa {stage}. Disponibles ahora: {actions}",
  transition_forbidden:
    "No puede ejecutar “{action}” en este registro. Está a la espera de {actors}. Disponibles para usted: {actions}",
  condition_unmet: "{action} requiere que {condition}. Disponibles ahora: {actions}",
  conflict: "{reason}",
  possible_duplicate: "Posible duplicado de {names}. Envíe override_duplicates=1 para guardar de todos modos",
  not_confirmed: "{reason}. Envíe is_confirm=1 para confirmar",
  newer_version:
    "Entretanto se guardó la versión {version} de este flujo de trabajo. No se movió nada. Revise las etapas y confirme de nuevo",
  administrator_required: "Solo los administradores pueden {operation} {type}",
  definition_refused: "No se pudo guardar el tipo de registro: {faults}",
  design_refused: "No se pudo aplicar el diseño: {faults}",
  not_ready: "El servicio se está iniciando. Vuelva a intentarlo en un momento",
  database_unavailable: "La base de datos no está disponible. No se modificó nada; vuelva a intentarlo en un momento",
  outcome_unknown:
    "Se perdió la conexión con la base de datos en el último momento, por lo que es posible que se haya guardado. Compruébelo antes de reenviar, o envíe con una Idempotency-Key",
  backup_running:
    "Una copia de seguridad está leyendo las tablas. No se modificó nada; vuelva a intentarlo en unos minutos",
  changes_forgotten:
    "Los cambios desde este cursor ya no están disponibles. Pida un cursor nuevo (sin after), vuelva a listar los registros y siga los cambios desde ahí",
  disk_full:
    "El servicio se quedó sin espacio en disco. No se guardó nada; pida a quien lo gestiona que libere espacio",
  metrics_forbidden:
    "Las métricas solo se ofrecen a este equipo. Configure METRICS_TOKEN y envíelo como token de portador (bearer)",
  internal: "Se produjo un error. Comunique a su administrador el ID de solicitud {request_id}",
} as const satisfies Record<keyof typeof english, string>;
