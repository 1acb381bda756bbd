// Quotes: a discount of more than 10 % needs one approval, one of more than 25 % the owner's manager and a sales manager.
import type { EffectDefinition, WorkflowDefinition } from "../../../../contract/workflow.ts";

const approved: readonly EffectDefinition[] = [
  { set: { approved_by_id: "me()", approved: "now()" } },
  { notify: { to: ["owner"], text: "The quote {{name}} is approved" } },
  {
    mail: {
      to: ["owner"],
      subject: "The quote {{name}} is approved",
      text: "The quote {{name}} is approved with a discount of {{discount}} %.\n\nYou can send it now.",
    },
  },
];

const offered = { set: { net_amount: 'amount - amount * coalesce(discount, "0") / 100' } };

/** What an approval is about. Who wants to change it revises the quote. */
const terms = ["amount", "currency_id", "discount"];

export const quoteWorkflow: WorkflowDefinition = {
  stages: [
    { key: "draft", name: "Draft", kind: "start", color: "gray", actors: ["owner"], enter: [offered] },
    {
      key: "approval",
      name: "Waiting for approval",
      color: "orange",
      actors: ["owner_manager", "role:sales_manager"],
      grants: ["read"],
      fixed: terms,
      enter: [offered],
    },
    {
      key: "large_approval",
      name: "Waiting for both approvals",
      color: "red",
      actors: ["owner_manager", "role:sales_manager"],
      grants: ["read"],
      fixed: terms,
      enter: [offered],
    },
    { key: "approved", name: "Approved", color: "teal", actors: ["owner"], fixed: terms, enter: [offered] },
    { key: "sent", name: "Sent", color: "blue", actors: ["owner"], fixed: terms },
    { key: "accepted", name: "Accepted", kind: "end", color: "green", fixed: terms },
    { key: "declined", name: "Declined", kind: "end", color: "gray", fixed: terms },
  ],
  transitions: [
    {
      name: "release",
      label: "Release",
      from: "draft",
      to: "approved",
      by: ["owner"],
      condition: "discount is empty or discount <= 10",
      required: ["amount"],
    },
    {
      name: "submit",
      label: "Submit for approval",
      from: "draft",
      to: "approval",
      by: ["owner"],
      condition: "discount > 10 and discount <= 25",
      required: ["amount"],
    },
    {
      name: "submit_large",
      label: "Submit for both approvals",
      from: "draft",
      to: "large_approval",
      by: ["owner"],
      condition: "discount > 25",
      required: ["amount"],
    },
    { name: "approve", label: "Approve", from: "approval", to: "approved", kind: "approve", effects: approved },
    {
      name: "approve_large",
      label: "Approve",
      from: "large_approval",
      to: "approved",
      kind: "approve",
      needs: "all",
      effects: approved,
    },
    {
      name: "reject",
      label: "Reject",
      from: ["approval", "large_approval"],
      to: "draft",
      kind: "reject",
      effects: [{ notify: { to: ["owner"], text: "The quote {{name}} was sent back to you" } }],
    },
    { name: "recall", label: "Recall", from: ["approval", "large_approval"], to: "draft", kind: "recall" },
    { name: "revise", label: "Revise", from: ["approved", "sent"], to: "draft", by: ["owner"] },
    { name: "send", label: "Mark as sent", from: "approved", to: "sent", by: ["owner"] },
    { name: "accept", label: "Accepted", from: "sent", to: "accepted", by: ["owner"] },
    { name: "decline", label: "Declined", from: "sent", to: "declined", by: ["owner"] },
  ],
};
