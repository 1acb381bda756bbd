// What people do to records, in Spanish, as it stands in "No tiene permiso para …".
import type { verbs as english } from "../en/verbs.ts";

export const verbs = {
  to_index: "listar",
  to_view: "ver",
  to_add: "añadir",
  to_edit: "editar",
  to_delete: "eliminar",
  to_comment: "comentar en",
  to_import: "importar",
  to_export: "exportar",
  to_bulk: "hacer cambios masivos en",
  to_design: "diseñar",
  to_restore: "restaurar",
  to_purge: "eliminar definitivamente",
  to_share: "compartir",
  to_move: "mover registros de",
  to_deactivate: "desactivar",
  to_activate: "activar",
  to_resend: "reenviar",
  to_reset_mfa: "restablecer la autenticación en dos pasos de",
  to_revoke: "revocar",
  to_see_access: "ver quién tiene acceso a",
  record_types: "tipos de registro",
} as const satisfies Record<keyof typeof english, string>;
