// Texts of what is shown once, and of how a new user signs in, in French.

export const once = {
  invitation_link: "Lien d’invitation",
  invitation_link_lead:
    "Ce lien n’est affiché qu’une fois et reste valable 7 jours. Ne l’envoyez qu’à la personne invitée : quiconque le possède peut rejoindre l’organisation.",
  password_link: "Lien pour choisir un mot de passe",
  password_link_lead:
    "Ce lien n’est affiché qu’une fois et reste valable 7 jours. Ne l’envoyez qu’à cet utilisateur : quiconque le possède peut définir le mot de passe et se connecter.",
  webhook_secret: "Secret de signature",
  webhook_secret_lead:
    "Ce secret n’est affiché qu’une fois. Conservez-le là où le point de terminaison peut le lire : il prouve que les envois viennent d’ici.",
  feed_address: "Adresse du flux",
  feed_address_lead:
    "Cette adresse n’est affichée qu’une fois. Ajoutez-la à votre agenda, lecteur de flux ou tableur. Quiconque la possède peut lire la liste ; supprimez le lien de flux pour la révoquer.",
  secret: "Secret",
  link: "Lien",
  copy_link: "Copier le lien",
};

export const new_user = {
  title: "Comment cet utilisateur se connecte",
  by_mail:
    "Nous enverrons à {{email}} un lien pour choisir un mot de passe. Après l’enregistrement, vous pourrez aussi copier un lien et l’envoyer vous-même.",
  by_file:
    "Aucun serveur de messagerie n’est configuré : aucun e-mail n’arrivera à {{email}}. Après l’enregistrement, copiez le lien et envoyez-le à l’utilisateur.",
  by_link:
    "Sans adresse e-mail, aucune invitation n’est envoyée. Après l’enregistrement, copiez le lien et envoyez-le à l’utilisateur, ou ajoutez une adresse e-mail ci-dessous.",
};
