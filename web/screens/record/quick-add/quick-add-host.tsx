// The dialog for a new record that any screen can ask for, with what its own references may ask for.
import { closeQuickAdd, type QuickAdd } from "../../../parts/quick-add.ts";
import { ReferenceToolsProvider } from "../form/reference-tools-provider.tsx";
import { QuickAddDialog } from "./quick-add-dialog.tsx";

const nothing = () => undefined;

export function QuickAddHost({ asked }: { readonly asked: QuickAdd }) {
  const { recordTypeKey, prefill = {}, onAdded = nothing } = asked;
  return (
    <ReferenceToolsProvider>
      <QuickAddDialog request={{ recordTypeKey, text: "", prefill, onAdded, isOnItsOwn: true }} close={closeQuickAdd} />
    </ReferenceToolsProvider>
  );
}
