// What emails say around what people wrote, in Spanish: subject, paragraphs, button, small print.
import type { mails as english } from "../en/mails.ts";

export const mails = {
  mail_hello: "Hola:",
  mail_invitation_subject: "Invitación de {inviter} para unirse a {organization}",
  mail_invitation:
    "{inviter} le invita a unirse a {organization} en Dossier. Elija un nombre de usuario y una contraseña para empezar.",
  mail_invitation_button: "Aceptar invitación",
  mail_invitation_closing:
    "Esta invitación es personal y caduca en {days} {days|día|días}. Si no la esperaba, puede ignorar este correo.",
  mail_password_subject: "Restablezca su contraseña",
  mail_password: "Alguien, probablemente usted, solicitó restablecer la contraseña del nombre de usuario {userName}.",
  mail_password_button: "Elegir una contraseña nueva",
  mail_password_closing:
    "El enlace funciona una sola vez y caduca en {minutes} minutos. Si no fue usted, ignore este correo: su contraseña no cambia.",
  mail_confirmation_subject: "Confirme su dirección de correo",
  mail_confirmation: "Confirme que esta dirección de correo pertenece al nombre de usuario {userName}.",
  mail_confirmation_button: "Confirmar dirección de correo",
  mail_confirmation_closing:
    "El enlace funciona una sola vez y caduca en {days} {days|día|días}. Si no creó una cuenta, puede ignorar este correo.",
  mail_mention_subject: "Mención de {by}: {record}",
  mail_mention: "{by} le mencionó en un comentario sobre {record}:",
  mail_mention_closing: "Recibe este correo porque alguien le mencionó.",
  mail_open_record: "Abrir registro",
  mail_open: "Abrir {record}",
  mail_workflow_closing: "Recibe este correo porque se actualizó un registro que le pertenece o que sigue.",
  mail_yes: "Sí",
  mail_no: "No",
  note_your_turn: "{type}: se requiere su acción ({stage})",
  note_changed: "{by} modificó {record}",
  note_changed_many: "{by} modificó muchos registros que sigue ({records}), entre ellos {record}",
  note_moved: "{by} movió {record} a {stage}",
  note_mentioned: "{by} le mencionó en {record}: {text}",
  note_replied: "{by} le respondió en {record}: {text}",
  note_commented: "{by} comentó en {record}: {text}",
  note_backup_failed: "Falló la copia de seguridad programada. {detail}",
  note_mail_held: "{emails} en espera. {why}",
  note_mail_held_gone: "{emails} en espera. {why} {gone} llevaban 7 días en espera y no se enviarán.",
  some_emails: "{count} {count|correo|correos}",
  hold_unconfirmed:
    "Un administrador debe confirmar su propia dirección de correo antes de que esta organización pueda escribir a otras personas.",
  hold_outside:
    "Esta organización todavía no puede enviar correos a personas externas. Pida autorización a quien gestiona este servicio.",
  hold_quota: "Esta organización alcanzó su límite de correos. Los correos se enviarán en cuanto el límite lo permita.",
  hold_recipient: "El destinatario recibió demasiados correos en una hora. El correo se enviará más tarde.",
} as const satisfies Record<keyof typeof english, string>;
