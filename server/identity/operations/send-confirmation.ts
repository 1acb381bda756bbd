// send_confirmation: another link that confirms one's own primary email address.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import type { Operation } from "../../operations/operation.ts";
import { requirePerson } from "../../operations/require-caller.ts";
import { mailConfirmation } from "../mail-confirmation.ts";

export const sendConfirmation: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    const { caller } = requirePerson(context, say("by_a_person"));
    const email = await context.services.database.transaction((transaction) =>
      mailConfirmation(transaction, caller, "mail"),
    );
    if (email === undefined) {
      throw new Failure("conflict", { with: { reason: say("nothing_to_confirm") } });
    }
    return { message: [say("confirmation_sent", { email })], body: { data: [] } };
  },
};
