// Texts of what is shown once, and of how a new user signs in, in English.

export const once = {
  invitation_link: "Invitation link",
  invitation_link_lead:
    "This link is shown only once and works for 7 days. Send it only to the person you invited: anyone who has it can join with it.",
  password_link: "Link to choose a password",
  password_link_lead:
    "This link is shown only once and works for 7 days. Send it only to this user: anyone who has it can set the password and sign in.",
  webhook_secret: "Signing secret",
  webhook_secret_lead:
    "This secret is shown only once. Store it where the endpoint can read it: it proves that deliveries come from this service.",
  feed_address: "Feed address",
  feed_address_lead:
    "This address is shown only once. Add it to your calendar, feed reader or spreadsheet. Anyone who has it can read the list; delete the feed link to revoke it.",
  secret: "Secret",
  link: "Link",
  copy_link: "Copy link",
};

export const new_user = {
  title: "How this user signs in",
  by_mail:
    "We’ll email {{email}} a link to choose a password. After you save, you can also copy a link and send it yourself.",
  by_file:
    "No mail server is set up, so {{email}} won’t get an email. After you save, copy the link and send it to the user.",
  by_link:
    "Without an email address, no invitation is sent. After you save, copy the link and send it to the user, or add an email address below.",
};
