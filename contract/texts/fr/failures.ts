// How calls fail as a whole, by the codes of contract/failures.ts: what happened, then what to do.
export const failures = {
  malformed_body: "Impossible de lire le corps de la requête : {reason}",
  malformed_path: "Impossible de lire l’adresse : {reason}",
  malformed_parameter: "{name} : {reason}",
  too_many_keys: "La requête a plus de {limit} clés",
  too_deep: "La requête est imbriquée sur plus de {limit} niveaux",
  malformed_rpc: "Impossible de lire l’appel JSON-RPC : {reason}",
  wrong_method: "{method} n’est pas autorisé ici. Utilisez {allowed}",
  too_large: "La requête dépasse {limit}",
  result_too_large: "Le résultat dépasse {limit}. Demandez moins de colonnes ou de lignes, ou utilisez l’export",
  record_too_large:
    "La fiche est trop volumineuse pour être enregistrée. Raccourcissez ses textes, ou répartissez-la sur plusieurs types de fiches",
  took_too_long:
    "L’opération a pris trop de temps et a été arrêtée. Utilisez moins de conditions ou de colonnes, ou exportez",
  too_much_at_once: "Votre organisation a trop de requêtes en cours. Réessayez dans {seconds} s",
  too_many_streams: "Vous suivez déjà les modifications sur {max} connexions. Fermez-en une d’abord",
  streams_taken: "Le service a trop de flux ouverts. Réessayez dans {seconds} s",
  client_gone: "Le client a fermé la connexion",
  headers_too_large:
    "L’adresse et les en-têtes dépassent {limit}. Envoyez les longs paramètres dans le corps d’un POST",
  range_not_satisfiable: "Plage non disponible ({size} octets)",
  wrong_media_type: "Envoyez multipart/form-data, application/x-www-form-urlencoded ou application/json, pas {type}",
  login_required: "Connectez-vous pour accéder à cette adresse",
  login_failed: "Nom d’utilisateur ou mot de passe incorrect",
  otp_required: "Saisissez le code de votre application d’authentification (otp)",
  token_refused: "Le jeton d’actualisation n’est plus valable. Reconnectez-vous",
  cookie_refused: "Cet appel exige son jeton dans l’en-tête Authorization, pas dans un cookie",
  too_many_requests: "Trop de requêtes. Réessayez dans {seconds} s",
  too_many_attempts: "Trop de tentatives. Réessayez dans {seconds} s",
  read_only_key: "Cette clé API est en lecture seule",
  key_address_refused: "Cette clé API ne peut pas être utilisée depuis {address}",
  key_required: "Envoyez une clé API comme jeton bearer. Le jeton d’une connexion n’est pas accepté ici",
  key_limited: "Cette clé API ne couvre pas cette opération. Utilisez une clé avec l’accès nécessaire",
  signup_closed: "Les inscriptions sont fermées. Demandez une invitation",
  operation_forbidden: "Vous n’êtes pas autorisé à {operation} : {type}",
  designer_required:
    "Seuls les administrateurs de l’organisation qui gère ce service peuvent configurer les types de fiches",
  operator_required:
    "Vous n’êtes pas autorisé à gérer les e-mails des organisations. Adressez-vous à un administrateur de l’organisation qui gère ce service",
  form_designer_required:
    "Vous n’êtes pas autorisé à configurer les formulaires de {type}. Demandez à un administrateur l’autorisation de configurer",
  unknown_module: "Module {module} introuvable",
  unknown_controller: "Type de fiche {type} introuvable",
  unknown_operation: "{type} n’a pas d’opération {operation}",
  unknown_address: "Page introuvable",
  unknown_feed:
    "Cette adresse de flux n’est pas valide. Elle a peut-être été révoquée ou a expiré : demandez-en une nouvelle à la personne qui vous l’a donnée",
  record_not_found: "{type} : fiche introuvable",
  invalid: "Certains champs sont à corriger",
  unknown_action: "Envoyez exactement une action. Disponibles maintenant : {actions}",
  unreadable_file: "Impossible de lire le fichier : {reason}",
  bulk_refused: "Aucune fiche n’a été modifiée : {reason}",
  stage_moved: "Cette fiche est passée à {stage}. Disponibles maintenant : {actions}",
  transition_forbidden:
    "Vous ne pouvez pas effectuer « {action} » sur cette fiche. Elle attend {actors}. Disponibles pour vous : {actions}",
  condition_unmet: "{action} exige que {condition}. Disponibles maintenant : {actions}",
  conflict: "{reason}",
  possible_duplicate: "Doublon possible de {names}. Envoyez override_duplicates=1 pour enregistrer quand même",
  not_confirmed: "{reason}. Envoyez is_confirm=1 pour confirmer",
  newer_version:
    "La version {version} de ce workflow a été enregistrée entre-temps. Rien n’a été déplacé. Vérifiez les étapes, puis confirmez à nouveau",
  administrator_required: "Seuls les administrateurs peuvent {operation} : {type}",
  definition_refused: "Impossible d’enregistrer le type de fiche : {faults}",
  design_refused: "Impossible d’appliquer la configuration : {faults}",
  not_ready: "Le service démarre. Réessayez dans un instant",
  database_unavailable: "La base de données est indisponible. Rien n’a été modifié ; réessayez dans un instant",
  outcome_unknown:
    "La connexion à la base de données a été perdue au dernier moment : ceci a peut-être été enregistré. Vérifiez avant de renvoyer, ou envoyez avec un Idempotency-Key",
  backup_running: "Une sauvegarde lit les tables. Rien n’a été modifié ; réessayez dans quelques minutes",
  changes_forgotten:
    "Les modifications depuis ce curseur ne sont plus disponibles. Demandez un nouveau curseur (sans after), listez à nouveau les fiches, puis suivez les modifications à partir de là",
  disk_full: "Le service n’a plus d’espace disque. Rien n’a été enregistré ; demandez à son exploitant d’en libérer",
  metrics_forbidden:
    "Les métriques ne sont servies qu’à cette machine. Définissez METRICS_TOKEN et envoyez-le comme jeton bearer",
  internal: "Une erreur s’est produite. Communiquez à votre administrateur l’ID de requête {request_id}",
} as const satisfies Record<string, string>;
