// The texts that are there before anybody is logged in, in French: the way in, and what can go wrong anywhere.
// Glossary: record fiche, record type type de fiche, field champ, view vue, list liste, stage étape, actor intervenant, owner
// responsable, lead prospect, company entreprise, opportunity opportunité, quote devis, job tâche, bulk change modification par lot,
// design configuration, policy politique, recycle bin corbeille, metric indicateur, tile vignette, share partager.
// Formal address (vous). Labels of any gender fit in: "Nouvelle fiche prospect", or after a colon. Typographic apostrophe; « … » and
// ; ! ? % with a narrow no-break space, the colon with a no-break space.

export const ground = {
  brand: "Dossier",
  page_title: "{{page}} · Dossier",
  actions: {
    save_continue: "Enregistrer et continuer",
    cancel: "Annuler",
    close: "Fermer",
    copy: "Copier",
    copied: "Copié",
    done: "Terminé",
    retry: "Réessayer",
    reload: "Recharger",
    home: "Aller à l’accueil",
    clear: "Effacer",
  },
  login: {
    code: "Code",
    code_lead: "Six chiffres de votre application d’authentification, ou un code de récupération.",
    code_wrong: "Code incorrect ou déjà utilisé. Attendez le suivant et réessayez.",
    missing_code: "Saisissez le code",
    back: "Retour",
    again: "Connectez-vous pour continuer",
    again_lead:
      "Votre session a expiré. Vos modifications sont toujours là et seront enregistrées après votre connexion.",
    again_as: "En tant que {{name}}",
    leave: "Quitter cette page",
    title: "Connexion",
    lead: "Connectez-vous à votre compte.",
    user_name: "Nom d’utilisateur ou e-mail",
    password: "Mot de passe",
    show_password: "Afficher le mot de passe",
    caps_lock: "La touche Verr. Maj est activée",
    submit: "Se connecter",
    missing_user_name: "Saisissez votre nom d’utilisateur ou votre e-mail",
    missing_password: "Saisissez votre mot de passe",
    failed: "Échec de la connexion",
    throttled: "Trop de tentatives",
    throttled_wait_one: "Réessayez dans {{count}} seconde.",
    throttled_wait_other: "Réessayez dans {{count}} secondes.",
    throttled_wait_many: "Réessayez dans {{count}} secondes.",
    unreachable: "Le serveur est injoignable. Vérifiez votre connexion et réessayez.",
    expired: "Votre session a expiré. Connectez-vous pour continuer.",
    left: "Vous êtes déconnecté.",
    signup: "Créer un compte",
    forgotten: "Mot de passe oublié ?",
  },
  states: {
    not_found: "Page introuvable",
    not_found_lead: "Vérifiez l’adresse. La page a peut-être été supprimée, ou vous n’y avez pas accès.",
    new_version: "Une nouvelle version est disponible",
    new_version_lead: "Rechargez la page pour continuer. Ce qui est enregistré est conservé.",
    part_missing: "Impossible de charger cette partie de l’application",
    part_missing_lead: "Vérifiez votre connexion, puis rechargez la page.",
    part_missing_retry: "Vérifiez votre connexion, puis réessayez.",
    part_failed:
      "Impossible de charger cette partie de l’application. Vérifiez votre connexion et réessayez, ou rechargez la page.",
    no_type: "Type de fiche {{type}} introuvable",
    forbidden: "Vous n’avez pas accès",
    failed: "Une erreur s’est produite",
    failed_lead:
      "Ce que vous avez enregistré est en sécurité. Réessayez. Si le problème persiste, transmettez l’ID de la requête à votre administrateur.",
    request_id: "ID de la requête",
    offline: "Serveur injoignable",
    offline_lead: "Vérifiez votre connexion. La page se rechargera automatiquement dès que le serveur répondra.",
    starting: "Le serveur n’est pas prêt",
    starting_lead:
      "Il est peut-être en cours de démarrage ou de mise à jour. La page se rechargera automatiquement dès qu’il sera prêt.",
    loading: "Chargement",
  },
};

export type GroundTexts = typeof ground;
