// Texts of what is shown once, and of how a new user signs in, in Spanish.

export const once = {
  invitation_link: "Enlace de invitación",
  invitation_link_lead:
    "Este enlace se muestra una sola vez y funciona durante 7 días. Envíelo solo a la persona invitada: cualquiera que lo tenga puede unirse con él.",
  password_link: "Enlace para elegir una contraseña",
  password_link_lead:
    "Este enlace se muestra una sola vez y funciona durante 7 días. Envíelo solo a este usuario: cualquiera que lo tenga puede establecer la contraseña e iniciar sesión.",
  webhook_secret: "Secreto de firma",
  webhook_secret_lead:
    "Este secreto se muestra una sola vez. Guárdelo donde el destino pueda leerlo: demuestra que las entregas provienen de aquí.",
  feed_address: "Dirección de suscripción",
  feed_address_lead:
    "Esta dirección se muestra una sola vez. Añádala a su calendario, lector de noticias u hoja de cálculo. Cualquiera que la tenga puede leer la lista; elimine el enlace de suscripción para revocarla.",
  secret: "Secreto",
  link: "Enlace",
  copy_link: "Copiar enlace",
};

export const new_user = {
  title: "Cómo inicia sesión este usuario",
  by_mail:
    "Enviaremos a {{email}} un enlace para elegir una contraseña. Después de guardar también podrá copiar un enlace y enviarlo usted.",
  by_file:
    "No hay ningún servidor de correo configurado, así que {{email}} no recibirá ningún correo. Después de guardar, copie el enlace y envíelo al usuario.",
  by_link:
    "Sin dirección de correo no se envía ninguna invitación. Después de guardar, copie el enlace y envíelo al usuario, o añada abajo una dirección de correo.",
};
