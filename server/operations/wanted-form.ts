// Reads what a call says about the form of the record that answers it: `form=0` leaves it out, `form=<form_version>` leaves it out
// if that is still its version. Gives the answer with or without it.
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { isFormVersion } from "../records/read/form-version.ts";
import type { PresentedView } from "../records/read/present-view.ts";
import type { Call } from "../request/call.ts";
import { shown, textAt } from "../request/tree.ts";

type Trim = <T extends PresentedView>(view: T) => T;

/** Of a write, what cannot be meant is no reason not to do it: the answer has its form. */
export function wantedForm({ parameters, method }: Pick<Call, "parameters" | "method">): Trim {
  const sent = textAt(parameters, "form");
  if (sent === undefined || sent === "1") return (view) => view;
  if (sent === "0") return withoutForm;
  if (isFormVersion(sent)) return (view) => (view.body.form_version === sent ? withoutForm(view) : view);
  if (method !== "GET") return (view) => view;
  const options = ["0", "1", "form_version"];
  throw new Failure("malformed_parameter", {
    with: { name: "form", reason: say("must_be_one_of_not", { options, sent: `"${shown(sent)}"` }) },
  });
}

/** A view that is given again is written once, with its form and without. */
const lasting = new WeakMap<PresentedView, PresentedView>();

function withoutForm<T extends PresentedView>(view: T): T {
  if (!view.lasting) return { ...view, written: {} };
  const known = lasting.get(view) ?? { ...view, written: {} };
  lasting.set(view, known);
  // Made from this very view.
  return known as T;
}
