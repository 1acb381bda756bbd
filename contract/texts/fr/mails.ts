// What emails say around what people wrote: subject, paragraphs, button, small print.
export const mails = {
  mail_hello: "Bonjour,",
  mail_invitation_subject: "{inviter} vous invite à rejoindre {organization}",
  mail_invitation:
    "{inviter} vous invite à rejoindre {organization} sur Dossier. Choisissez un nom d’utilisateur et un mot de passe pour commencer.",
  mail_invitation_button: "Accepter l’invitation",
  mail_invitation_closing:
    "Cette invitation n’est destinée qu’à vous et expire dans {days} {days|jour|jours}. Si vous ne l’attendiez pas, ignorez cet e-mail.",
  mail_password_subject: "Réinitialisez votre mot de passe",
  mail_password:
    "Quelqu’un, probablement vous, a demandé à réinitialiser le mot de passe du nom d’utilisateur {userName}.",
  mail_password_button: "Choisir un nouveau mot de passe",
  mail_password_closing:
    "Le lien fonctionne une fois et expire dans {minutes} minutes. Si ce n’était pas vous, ignorez cet e-mail : votre mot de passe ne change pas.",
  mail_confirmation_subject: "Confirmez votre adresse e-mail",
  mail_confirmation: "Confirmez que cette adresse e-mail appartient au nom d’utilisateur {userName}.",
  mail_confirmation_button: "Confirmer l’adresse e-mail",
  mail_confirmation_closing:
    "Le lien fonctionne une fois et expire dans {days} {days|jour|jours}. Si vous ne vous êtes pas inscrit, ignorez cet e-mail.",
  mail_mention_subject: "{by} vous a mentionné : {record}",
  mail_mention: "{by} vous a mentionné dans un commentaire sur {record} :",
  mail_mention_closing: "Vous recevez cet e-mail parce que quelqu’un vous a mentionné.",
  mail_open_record: "Ouvrir la fiche",
  mail_open: "Ouvrir {record}",
  mail_workflow_closing:
    "Vous recevez cet e-mail parce qu’une fiche dont vous êtes responsable ou que vous suivez a été mise à jour.",
  mail_yes: "Oui",
  mail_no: "Non",
  note_your_turn: "{type} : action requise de votre part ({stage})",
  note_changed: "{by} a modifié {record}",
  note_changed_many: "{by} a modifié de nombreuses fiches que vous suivez ({records}), dont {record}",
  note_moved: "{by} a fait passer {record} à {stage}",
  note_mentioned: "{by} vous a mentionné sur {record} : {text}",
  note_replied: "{by} vous a répondu sur {record} : {text}",
  note_commented: "{by} a commenté {record} : {text}",
  note_backup_failed: "La sauvegarde planifiée a échoué. {detail}",
  note_mail_held: "{emails} en attente. {why}",
  note_mail_held_gone: "{emails} en attente. {why} Après 7 jours d’attente, ne seront pas envoyés : {gone}.",
  some_emails: "{count} {count|e-mail|e-mails}",
  hold_unconfirmed:
    "Un administrateur doit confirmer sa propre adresse e-mail avant que cette organisation puisse écrire à d’autres personnes.",
  hold_outside:
    "Cette organisation n’est pas encore autorisée à écrire à l’extérieur. Demandez-le à l’exploitant de ce service.",
  hold_quota:
    "Cette organisation a atteint sa limite d’e-mails. Les e-mails seront envoyés dès que la limite le permettra.",
  hold_recipient: "Le destinataire a reçu trop d’e-mails en une heure. L’e-mail sera envoyé plus tard.",
} as const satisfies Record<string, string>;
