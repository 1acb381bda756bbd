// What controllers of people, organizations and access have beside records, for the description of the interface.
import { anything, flag, list, object, type Schema, text } from "./json-schema.ts";

export interface DescribedCall {
  readonly summary: string;
  readonly parameters?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** Where there is one, it is a POST. */
  readonly body?: Schema;
  readonly answer?: Readonly<Record<string, Schema>>;
  /** Of an answer that is no JSON. */
  readonly contentType?: string;
  /** Who else is not told of it. */
  readonly only?: "administrators";
  /** It needs no login. */
  readonly isOpen?: true;
}

/** By controller, then operation. */
export type DescribedCalls = Readonly<Record<string, Readonly<Record<string, DescribedCall>>>>;

/** What is sent as `data[users][…]`. */
export const sent = (controller: string, values: Readonly<Record<string, Schema>>, required: readonly string[] = []) =>
  object({ data: object({ [controller]: object(values, required) }, [controller]) }, ["data"]);

const id = object({ id: text() }, ["id"]);
const data = { data: anything };
const only = "administrators";

const consequences = (body: Schema): DescribedCall => ({
  summary: "Tell what a change of access would mean, without making it",
  body,
  answer: { data: object({ consequences: list(anything) }) },
  only,
});

export const describedAccounts: DescribedCalls = {
  "access_controls/users": {
    change_password: {
      summary: "Change your password",
      body: sent("users", { old_password: text(), user_password: text(), confirm_password: text() }),
    },
    activate_forgotten_password: {
      summary: "Ask for a link to choose a new password",
      body: sent("users", { user_name: text(), callback_url: text() }, ["user_name"]),
      isOpen: true,
    },
    reset_forgotten_password: {
      summary: "Choose a new password with the token of such a link",
      body: sent("users", { token: text(), user_password: text(), confirm_password: text() }, ["token"]),
      isOpen: true,
    },
    signup: {
      summary: "Create an account: found an organization, or join one",
      body: object({ invitation: text("The token of an invitation's link"), organization_id: text() }),
      answer: data,
      isOpen: true,
    },
    confirm_mail: {
      summary: "Confirm an email address with the token of a link",
      body: sent("users", { token: text() }, ["token"]),
      isOpen: true,
    },
    send_confirmation: { summary: "Send another link that confirms your email address", body: object({}) },
    license_agreement: {
      summary: "Read the terms of use in force",
      parameters: { organization_id: text(), invitation: text() },
      answer: data,
      isOpen: true,
    },
    accept_license_agreement: {
      summary: "Accept the terms of use in force",
      body: object({ version: text() }, ["version"]),
    },
    profile: { summary: "Read your profile and what can be chosen in it", answer: data },
    mfa: { summary: "Read whether two-factor authentication is on", answer: data },
    begin_mfa: {
      summary: "Begin to turn two-factor authentication on",
      body: sent("users", { user_password: text() }, ["user_password"]),
      answer: data,
    },
    confirm_mfa: {
      summary: "Turn two-factor authentication on",
      body: sent("users", { otp: text() }, ["otp"]),
      answer: data,
    },
    renew_recovery_codes: {
      summary: "Create new recovery codes",
      body: sent("users", { user_password: text(), otp: text() }),
      answer: data,
    },
    end_mfa: {
      summary: "Turn two-factor authentication off",
      body: sent("users", { user_password: text(), otp: text() }),
    },
    reset_mfa: { summary: "Turn a user's two-factor authentication off", body: id, only },
    mfa_users: { summary: "List the users with two-factor authentication", answer: data, only },
    activate: { summary: "Activate a user", body: id, only },
    deactivate: {
      summary: "Deactivate a user, and transfer their records",
      body: object({ id: text(), hand_over_to: text("The id of the new owner") }, ["id"]),
      only,
    },
  },
  "access_controls/organizations": {
    info: { summary: "Read your organization", answer: data },
    mail_senders: {
      summary: "Allow an organization's workflows to email people outside it, or not",
      body: object({ id: text(), data: object({ organizations: object({ allows_outside: flag() }) }) }, ["id"]),
      answer: data,
      only,
    },
  },
  "access_controls/invitations": {
    resend: { summary: "Send an invitation again, with a new link", body: id, only },
    revoke: { summary: "Revoke an invitation", body: id, only },
  },
  "access_controls/sessions": {
    mine: { summary: "List where you are signed in", answer: { data: object({ sessions: list(anything) }) } },
    end: { summary: "End a session", body: id },
  },
  "access_controls/roles": {
    who_may: {
      summary: "Read who may do what with a record type, or with one of its records",
      parameters: { controller: text("Such as crm/leads"), id: text() },
      required: ["controller"],
      answer: data,
    },
    consequences: consequences(object({ id: text(), operations: text("JSON text: the role's whole matrix") }, ["id"])),
  },
  "access_controls/policies": {
    consequences: consequences(object({ record_type: text(), policy: text("JSON text") }, ["record_type"])),
  },
  "access_controls/groups": {
    consequences: consequences(object({ id: text(), members: text("JSON text: all members") }, ["id"])),
  },
  "core/favorites": {
    index: { summary: "List your favorites", answer: { data: object({ favorites: list(anything) }) } },
    add: { summary: "Add a favorite", body: object({ controller: text(), id: text() }, ["controller", "id"]) },
    remove: { summary: "Remove a favorite", body: object({ controller: text(), id: text() }, ["controller", "id"]) },
    arrange: { summary: "Put your favorites in order", body: object({ keys: list(text()) }, ["keys"]) },
  },
  "core/feed_links": {
    feed: {
      summary: "Read a list by its secret address, as /feeds/calendar.ics, list.rss or list.csv",
      parameters: { key: text("The secret of the address") },
      required: ["key"],
      contentType: "text/plain",
      isOpen: true,
    },
  },
  "core/listviews": {
    dashboard: { summary: "Read your pinned views", parameters: { dashboard: text("A shared one") }, answer: data },
    pin: { summary: "Pin a view to your dashboard", body: object({ id: text(), sequence: text() }, ["id"]) },
    unpin: { summary: "Take a view off your dashboard", body: id },
    arrange: { summary: "Arrange your dashboard", body: object({ ids: list(text()), sizes: anything }) },
    clone: { summary: "Copy a view into a personal one", body: id, answer: data },
    budgets: {
      summary: "Read how long list views take",
      parameters: { days: text() },
      answer: { views: list(anything) },
      only,
    },
  },
  "core/forms": {
    generated: {
      summary: "Read the form that a record type has when nobody saved one",
      parameters: { controller: text() },
      required: ["controller"],
      answer: data,
    },
    preview: {
      summary: "Read a form as somebody in a role would have it",
      body: object({ controller: text(), definition: text("JSON text"), role: text("A code") }, [
        "controller",
        "definition",
      ]),
      answer: data,
    },
  },
  "core/comments": {
    mentionable: {
      summary: "Find users who may read a record, to mention them",
      parameters: { related_type: text(), related_id: text(), search: text() },
      required: ["related_type", "related_id"],
      answer: data,
    },
  },
  "core/import_mappings": {
    settings: {
      summary: "Read the parameters that a saved mapping holds",
      parameters: { id: text() },
      required: ["id"],
      answer: { id: text(), data },
    },
  },
  "core/jobs": {
    faulty_rows: {
      summary: "Download the rows of an import that failed",
      parameters: { id: text() },
      required: ["id"],
      contentType: "text/csv",
    },
  },
  "core/workflows": {
    stages: {
      summary: "Read the stages and transitions of a record type's workflow",
      parameters: { controller: text() },
      required: ["controller"],
      answer: data,
    },
    my_work: {
      summary: "List what waits for you",
      parameters: { page: text(), limit: text(), controller: text(), count: flag("1: the counts alone") },
      answer: data,
    },
    older_records: {
      summary: "Count the records on older versions of a workflow",
      parameters: { id: text() },
      required: ["id"],
      answer: data,
      only,
    },
    move_records: {
      summary: "Bring records of older versions to the newest version of a workflow",
      body: object(
        {
          id: text(),
          is_confirm: flag(),
          version: text("The newest version you know: 409 if there is a newer one"),
          stages: anything,
        },
        ["id"],
      ),
      answer: data,
      only,
    },
  },
  "masters/exchange_rates": {
    import_rates: { summary: "Import the reference rates of the European Central Bank", body: object({}), only },
  },
  "metadata/record_types": {
    index: { summary: "List the record types that can be designed", answer: data, only },
    view: {
      summary: "Read the definition of a record type",
      parameters: { key: text("Such as crm/leads") },
      required: ["key"],
      answer: data,
      only,
    },
    save: {
      summary: "Create or change a record type",
      body: object(
        {
          definition: text("JSON text"),
          discard: text("Fields that may go"),
          convert: text("Fields that may change type"),
          is_new: flag("1: refuse one that exists"),
          revision: text(),
        },
        ["definition"],
      ),
      answer: data,
      only,
    },
    check: {
      summary: "Tell what saving a definition would do",
      body: object({ definition: text("JSON text"), discard: text(), convert: text() }, ["definition"]),
      answer: data,
      only,
    },
    preview_computed: {
      summary: "Work a computed field out for a few records",
      body: object({ definition: text("JSON text"), field: text() }, ["definition", "field"]),
      answer: data,
      only,
    },
    uses: {
      summary: "Read what uses a field",
      parameters: { key: text(), field: text() },
      required: ["key", "field"],
      answer: data,
      only,
    },
    remove: {
      summary: "Take a record type out of service",
      body: object({ key: text(), is_confirm: flag() }, ["key"]),
      only,
    },
    values: {
      summary: "Read what a text field holds, most frequent first",
      parameters: { key: text(), field: text() },
      required: ["key", "field"],
      answer: data,
      only,
    },
    removed: {
      summary: "List the removed fields of a record type, or removed record types",
      parameters: { key: text() },
      answer: data,
      only,
    },
    restore: { summary: "Restore a removed field or record type", body: id, only },
    purge: {
      summary: "Delete a removed field or record type permanently",
      body: object({ id: text(), is_confirm: flag() }, ["id"]),
      only,
    },
    indexes: {
      summary: "Read the indexes that were added to a record type",
      parameters: { key: text() },
      required: ["key"],
      answer: data,
      only,
    },
    build_index: { summary: "Build an index", body: object({ key: text(), field: text() }, ["key", "field"]), only },
    keep_index: {
      summary: "Keep an index that was built automatically",
      body: object({ key: text(), field: text() }, ["key", "field"]),
      only,
    },
    remove_index: {
      summary: "Remove an index that was added",
      body: object({ key: text(), field: text() }, ["key", "field"]),
      only,
    },
  },
};
