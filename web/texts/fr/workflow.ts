// The French texts of workflows and of what waits for the reader.

export const workflow = {
  bar: "Workflow {{name}}",
  stages: "Étapes",
  more: "Plus",
  your_turn: "Action requise de votre part",
  waits_for: "En attente de {{names}}",
  agreed: "approuvé par {{names}}",
  since: "à cette étape : {{age}}",
  not_yet: "Pas encore disponible",
  not_yet_plain: "{{label}} n’est pas encore disponible",
  not_yet_until: "{{label}} est disponible si : {{condition}}",
  moved: "Passage à {{stage}}",
  voted: "Vote enregistré. En attente des autres",
  out_of_sight: "Terminé. Vous n’avez plus accès à cette fiche.",
  leads_to: "Étape suivante : {{stage}}",
  reason: "Motif",
  comment: "Commentaire",
  create: "Créer une nouvelle fiche",
  create_named: "Créer {{name}}",
  use_named: "Utiliser {{name}}",
  same: "Identique : {{labels}}",
  skip: "Ne pas en créer",
  merge: "Remplir ses champs vides",
  undo: "Annuler {{label}}",
  undo_title: "Annuler {{label}} ?",
  undo_lead:
    "La fiche revient à son étape précédente et les champs modifiés par cette action reprennent leurs valeurs antérieures. Les fiches créées et non modifiées depuis sont supprimées.",
  log_vote: "a choisi {{label}} (approbation partielle)",
};

export const work = {
  title: "Mes tâches",
  lead: "Fiches qui attendent une action de votre part, de la plus ancienne à la plus récente.",
  count: "Mes tâches, {{count}} en attente",
  kinds: "Types de fiches",
  all: "Tous",
  empty: "Vous êtes à jour",
  empty_lead: "Les fiches qui attendent une action de votre part apparaissent ici, et vous recevez une notification.",
};

export const comparisons = {
  joined: { and: " et ", or: " ou " },
  operators: {
    "=": "est",
    "!=": "n’est pas",
    ">": "est supérieur à",
    ">=": "est au moins",
    "<": "est inférieur à",
    "<=": "est au plus",
    in: "est l’un de",
    "not in": "n’est aucun de",
    empty: "est vide",
    "not empty": "n’est pas vide",
  },
};
