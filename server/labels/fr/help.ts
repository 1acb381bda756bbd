// The help of the fields that ship, in French.
export const help = {
  "<module>/<controller>": "<module>/<controller>",
  "<module>/<controller>, or * for all others": "<module>/<controller>, ou * pour tous les autres",
  "A different currency than the one above": "Une autre devise que celle ci-dessus",
  "Actors on whose behalf the vote counts": "Intervenants au nom desquels le vote compte",
  "Available to people who sign up. Administrator roles can't be offered":
    "Proposé à l’inscription. Les rôles d’administrateur ne peuvent pas l’être",
  "Changes are sent here by POST": "Les modifications sont envoyées ici par POST",
  "Each changed field with its old and new value": "Chaque champ modifié avec son ancienne et sa nouvelle valeur",
  "Email domains whose users can join, one per line":
    "Domaines e-mail dont les utilisateurs peuvent rejoindre l’organisation, un par ligne",
  "Everyone must accept this version after their next sign-in":
    "Chacun doit accepter cette version après sa prochaine connexion",
  "Fields, conditions, order and column properties, as in q":
    "Champs, conditions, ordre et propriétés des colonnes, comme dans q",
  "First part of its URLs, such as crm": "Première partie de ses URL, comme crm",
  "Has full access to the organization": "A un accès complet à l’organisation",
  "How much of the second currency one unit of the first currency buys":
    "Montant de la seconde devise pour une unité de la première",
  "HTML: headings, paragraphs, lists, tables, links, emphasis":
    "HTML : titres, paragraphes, listes, tableaux, liens, mises en valeur",
  "Kept as a number, even if the user is deleted": "Conservé sous forme de numéro, même si l’utilisateur est supprimé",
  "Leave empty for no expiry": "Laissez vide pour ne pas fixer d’expiration",
  "Leave empty to send all changes": "Laissez vide pour envoyer toutes les modifications",
  "List views in their order, each with its id and size":
    "Vues de liste dans leur ordre, chacune avec son ID et sa taille",
  "move, approve, reject or recall": "move, approve, reject ou recall",
  "Name of its module": "Nom de son module",
  "New records start in this workflow": "Les nouvelles fiches commencent dans ce workflow",
  "No longer in the latest version": "N’est plus dans la dernière version",
  "Offset from UTC during daylight saving time. Empty if there is none":
    "Décalage par rapport à UTC pendant l’heure d’été. Vide s’il n’y en a pas",
  "Offset from UTC, such as +05:30": "Décalage par rapport à UTC, comme +05:30",
  "Leave empty to send changes to all records": "Laissez vide pour envoyer les modifications de toutes les fiches",
  "Parameters of an import, such as mapping, mode and key": "Paramètres d’un import, comme mapping, mode et key",
  "Place of the change among all of the organization": "Place de la modification parmi toutes celles de l’organisation",
  "Read from the query if it names one": "Lu dans la requête si elle en nomme un",
  "Records created by this step": "Fiches créées par cette action",
  "Records processed so far, including failed ones": "Fiches traitées jusqu’ici, y compris les échecs",
  "Replaces the default form. If several are active, the latest one is used":
    "Remplace le formulaire par défaut. Si plusieurs sont actifs, le plus récent est utilisé",
  "Revision created by this step": "Révision créée par cette action",
  "Role codes, separated by spaces. Hiding changes the navigation, not what people can access":
    "Codes de rôles, séparés par des espaces. Masquer change la navigation, pas les accès",
  "Sends only what this user can see": "N’envoie que ce que cet utilisateur peut voir",
  "Stages and the transitions between them": "Étapes et transitions entre elles",
  "start, move or vote": "start, move ou vote",
  "start, stage or end": "start, stage ou end",
  "Such as crm/leads/index": "Comme crm/leads/index",
  "Tabs or sections of elements: fields, grids of children, related lists":
    "Onglets ou sections d’éléments : champs, tableaux de fiches enfants, listes liées",
  "The beginning of the answer": "Le début de la réponse",
  "The kind of notification, such as mention": "Le genre de notification, comme mention",
  "The label exactly as it was written in the designer, including upper and lower case":
    "Le libellé exactement comme il est écrit dans l’éditeur, majuscules et minuscules comprises",
  "The rate applies from this day on": "Le taux s’applique à partir de ce jour",
  "The user or group the record is shared with": "L’utilisateur ou le groupe avec qui la fiche est partagée",
  "This organization runs the server": "Cette organisation gère le serveur",
  "Unique within its module, such as leads": "Unique dans son module, comme leads",
  "Used by policies. Can't be changed": "Utilisé par les politiques. Ne peut pas être changé",
  "Visible only to its owner": "Visible uniquement par son responsable",
  "Visible to its owner and to those it is shared with":
    "Visible par son responsable et les personnes avec qui elle est partagée",
  "Who can view, edit, delete and comment. Replaces the record type's own rules":
    "Qui peut consulter, modifier, supprimer et commenter. Remplace les règles du type de fiche",
  "Addresses the key works from, such as 203.0.113.7 or 10.0.0.0/8. Leave empty for everywhere":
    "Adresses depuis lesquelles la clé fonctionne, comme 203.0.113.7 ou 10.0.0.0/8. Laissez vide pour partout",
  'By record type, what the key can be used for, such as {"crm/leads": ["read"], "access_controls/users": ["view"]}. Leave empty for everything its user can do':
    'Par type d’enregistrement, ce que la clé permet, comme {"crm/leads": ["read"], "access_controls/users": ["view"]}. Laissez vide pour tout ce que son utilisateur peut faire',
  "For programs: has no password or email and signs in with API keys that administrators create":
    "Pour un programme : sans mot de passe ni e-mail, il se connecte avec des clés API créées par les administrateurs",
};
