// Files, comments, notifications and the warning of duplicates, in French.

export const files = {
  title: "Fichiers",
  drop_one: "Déposez un fichier ici ou choisissez-en un",
  drop_another: "Déposez un fichier ici ou choisissez-en un pour le remplacer",
  drop_many: "Déposez des fichiers ici ou choisissez-en",
  choose: "Ajouter des fichiers à {{name}}",
  preview: "Aperçu de {{name}}",
  download: "Télécharger {{name}}",
  remove: "Retirer {{name}}",
  remove_attachment: "Supprimer {{name}}",
  removed: "{{name}} supprimé",
  restored: "{{name}} restauré",
  not_saved_yet: "Non enregistré",
  sending: "{{percent}} envoyés",
  stop: "Annuler l’envoi de {{name}}",
  empty: "{{name}} est vide",
  too_large: "{{name}} dépasse {{size}}",
  wrong_kind: "Le type de fichier de {{name}} n’est pas autorisé. Types autorisés : {{kinds}}",
  choose_again: "Choisissez à nouveau {{name}}. Les fichiers ne sont pas conservés quand la page se recharge",
  none: "Aucun fichier pour le moment",
  failed: "Impossible d’ajouter {{name}} : {{reason}}",
};

export const comments = {
  earlier_answers_one: "{{count}} réponse antérieure",
  earlier_answers_other: "{{count}} réponses antérieures",
  earlier_answers_many: "{{count}} réponses antérieures",
  write: "Écrire un commentaire",
  placeholder: "Ajoutez un commentaire ou mentionnez quelqu’un avec @",
  send: "Commenter",
  answer: "Répondre",
  answer_to: "Répondre à {{name}}",
  edit: "Modifier",
  delete: "Supprimer",
  more: "Actions pour le commentaire de {{name}}",
  save: "Enregistrer",
  edited: "modifié",
  gone: "Ce commentaire n’est pas disponible",
  deleted: "Commentaire supprimé",
  restored: "Commentaire restauré",
  somebody: "Quelqu’un",
  keys: "Ctrl+Entrée pour envoyer",
  people: "Personnes que vous pouvez mentionner",
};

export const bell = {
  title: "Notifications",
  open_one: "Notifications, {{count}} nouvelle",
  open_other: "Notifications, {{count}} nouvelles",
  open_many: "Notifications, {{count}} nouvelles",
  none: "Vous êtes à jour",
  none_lead: "Les mentions et les éléments qui requièrent votre attention apparaissent ici.",
  read_all: "Tout marquer comme lu",
  unread: "Nouveau",
};

export const duplicates = {
  title: "Doublon possible",
  lead: "Mêmes valeurs ({{labels}}) que :",
  lead_plain: "Semblable à :",
  save: "Enregistrer quand même",
  back: "Continuer la modification",
  opens_apart: "s’ouvre dans un nouvel onglet",
};
