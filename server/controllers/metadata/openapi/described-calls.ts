// What single controllers have, for the description of the interface: signing in, and what programs use beside records.
import { type DescribedCalls, describedAccounts } from "./described-accounts.ts";
import { anything, flag, list, nullable, object, reference, text, whole } from "./json-schema.ts";

const tokens = {
  access_token: text("To be sent as a bearer token"),
  refresh_token: text("For the next access token"),
  expires_in: whole("Seconds"),
  data: anything,
};

const password = { user_name: text(), user_password: text(), otp: text("Where the second step is on") };

const forPrograms: DescribedCalls = {
  "access_controls/users": {
    login: {
      summary: "Sign in",
      body: object({ data: object({ users: object(password, ["user_name", "user_password"]) }, ["users"]) }, ["data"]),
      answer: tokens,
      isOpen: true,
    },
    access_token: {
      summary: "Get new tokens",
      body: object({ refresh_token: text() }, ["refresh_token"]),
      answer: tokens,
      isOpen: true,
    },
    logout: { summary: "Sign out", body: object({}) },
  },
  "access_controls/api_keys": {
    mine: { summary: "List your API keys", answer: { data: object({ api_keys: list(anything) }) } },
    revoke: { summary: "Revoke an API key", body: object({ id: text() }, ["id"]) },
  },
  "core/search": {
    index: {
      summary: "Search all records",
      parameters: { text: text("Words that must all occur"), limit: whole("Of each record type"), controller: text() },
      required: ["text"],
      answer: { data: anything },
    },
  },
  "core/changes": {
    index: {
      summary: "Follow changes",
      parameters: {
        after: text("A cursor from an earlier answer; without it, the answer has the cursor of now"),
        controller: text("Only these record types, with semicolons between them"),
        limit: whole("1 to 1,000"),
        wait: whole("Seconds to wait for something, at most 60"),
        record: text("The record on the screen, such as crm/leads/42: to be told who else has it open"),
        doing: text("view or edit"),
        tab: text("Tells the screens of one user apart"),
        present: text("The present of the last answer"),
        design: text("The design of the last answer: a waiting request is answered once a record type changed"),
      },
      answer: {
        data: object({
          changes: list(reference("change")),
          present: list(object({ id: text(), name: text(), doing: text() })),
        }),
        present: text(),
        cursor: text(),
        more: whole("1: ask again at once"),
        design: text("Grows with every change of a record type"),
      },
    },
  },
  "core/jobs": {
    cancel: { summary: "Stop a job", body: object({ id: text() }, ["id"]), answer: { data: anything } },
    undo: { summary: "Undo a job", body: object({ id: text() }, ["id"]), answer: { job_id: nullable(text()) } },
    failures: {
      summary: "Read what failed in a job",
      parameters: { id: text(), page: whole(), limit: whole() },
      required: ["id"],
      answer: { data: anything },
    },
  },
  "core/notifications": {
    mine: {
      summary: "Read one's notifications",
      parameters: { unread: flag("1: only new ones"), limit: whole(), before: text("An id: only older ones") },
      answer: { data: anything },
    },
    unread: { summary: "Count one's unread notifications", answer: { data: anything } },
    mark_read: {
      summary: "Mark notifications as read",
      body: object({ id: text(), all: flag(), unread: flag("1: as new") }),
    },
  },
  "core/translations": {
    labels: {
      summary: "Read every label that is translated into the caller's language, by its original",
      answer: { data: anything },
    },
    wording: {
      only: "administrators",
      summary: "Read every label that can be translated, with its translation",
      parameters: { language: text("Code of the language"), controller: text("Only labels of this record type") },
      required: ["language"],
      answer: { data: anything },
    },
    translate: {
      only: "administrators",
      summary: "Translate labels into a language",
      body: object(
        { language: text(), labels: list(object({ label: text(), translation: text("Empty: remove it") })) },
        ["language", "labels"],
      ),
      answer: { data: anything },
    },
  },
  "core/webhooks": {
    rotate_secret: {
      summary: "Create a new secret for a webhook",
      body: object({ id: text() }, ["id"]),
      answer: { data: anything, webhook_secret: text("Shown only here") },
    },
    test: { summary: "Send a test event", body: object({ id: text() }, ["id"]), answer: { data: anything } },
  },
  "core/webhook_deliveries": {
    send_again: { summary: "Send a delivery again", body: object({ id: text() }, ["id"]), answer: { data: anything } },
  },
  "development_base/menus": {
    app_menu: {
      summary: "Read the menu: modules and record types",
      parameters: {
        begun: flag("1: tell also whether there is any record yet"),
        hidden: flag("1: also entries that are hidden from the caller, with is_hidden"),
      },
      answer: { data: anything, begun: whole() },
    },
    navigation: { summary: "Read the whole navigation to arrange it", answer: { data: anything } },
    arrange: {
      summary: "Save the navigation: order, names, what is hidden from whom, links and modules",
      body: object({ navigation: text("JSON text: modules with their entries, in order"), revision: text() }),
      answer: { data: anything },
    },
  },
  "metadata/designs": {
    index: { summary: "List the starter designs, and the design applied last", answer: { data: anything } },
    export: {
      summary: "Export the design as one JSON file",
      parameters: {
        modules: text("Only what is about these modules, separated by spaces"),
        records: flag("1: with the records of exported record types"),
        name: text(),
      },
      answer: { data: anything },
    },
    plan: {
      summary: "What applying a design would do",
      body: object({
        design: text("The exported file"),
        starter: text("Or the key of a starter design"),
        prune: flag(),
      }),
      answer: { data: anything },
    },
    apply: {
      summary: "Apply a design in one transaction",
      body: object({
        design: text("The exported file"),
        starter: text("Or the key of a starter design"),
        fingerprint: text("Of the plan; refused if anything changed since"),
        prune: flag("1: remove what the design does not have"),
        allow_loss: flag("1: also where stored values are removed"),
      }),
      answer: { data: anything },
    },
    rollback: {
      summary: "Undo the last apply",
      body: object({
        allow_loss: flag("1: also where stored values are removed"),
        override: flag("1: also what was changed since"),
      }),
      answer: { data: anything },
    },
  },
  "metadata/openapi": { index: { summary: "Read this description; also at /openapi.json" } },
  "metadata/schema": {
    index: {
      summary: "Read the fields of a record type",
      parameters: {
        search_controller: text("Such as crm/leads"),
        fetch_associations: text("[belongsTo,hasMany,hasManyThrough], or some of them"),
      },
      required: ["search_controller"],
      answer: { data: anything },
    },
  },
};

/** By controller, then operation. */
export const describedCalls: DescribedCalls = Object.fromEntries(
  [...new Set([...Object.keys(forPrograms), ...Object.keys(describedAccounts)])].map((controller) => [
    controller,
    { ...forPrograms[controller], ...describedAccounts[controller] },
  ]),
);
