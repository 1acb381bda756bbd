// send_confirmation: another link that confirms one's own primary email address.
import { Failure } from "../../../contract/failures.ts";
import type { Operation } from "../../operations/operation.ts";
import { requirePerson } from "../../operations/require-caller.ts";
import { mailConfirmation } from "../mail-confirmation.ts";

export const sendConfirmation: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    const { caller } = requirePerson(context, "An email address is confirmed by a person, not with an API key");
    const email = await context.services.database.transaction((transaction) =>
      mailConfirmation(transaction, caller, "mail"),
    );
    if (email === undefined) {
      const reason = "You have no email address that needs to be confirmed";
      throw new Failure("conflict", { with: { reason } });
    }
    return { message: [`Check your email: a link was sent to ${email}`], body: { data: [] } };
  },
};
