// Gives the inputs of a page what they may ask for: a dialog for a new record, and a look at another record, each on top
// of what is there, which stays as it is.
import { Drawer } from "@mantine/core";
import { type ReactNode, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type ReferenceTools, ReferenceToolsContext } from "../../../fields/inputs/reference-tools.ts";
import { withFieldParts } from "../../../fields/with-field-parts.ts";
import { lazyPart } from "../../../parts/loading/lazy-part.tsx";
import type { QuickAddRequest } from "../quick-add/quick-add-dialog.tsx";
import { RecordPeek } from "../record-peek.tsx";

const QuickAddDialog = lazyPart(
  async () => (await withFieldParts(() => import("../quick-add/quick-add-dialog.tsx"))).QuickAddDialog,
  {
    hasInput: true,
  },
);

interface Peeked {
  readonly key: string;
  readonly id: string;
}

export function ReferenceToolsProvider({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  // A new record may need another new one: they stand on top of each other.
  const [asked, setAsked] = useState<readonly QuickAddRequest[]>([]);
  const [peeked, setPeeked] = useState<Peeked>();
  const tools = useMemo(
    (): ReferenceTools => ({
      addRecord: (recordTypeKey, text, onAdded) =>
        setAsked((before) => [...before, { recordTypeKey, text, onAdded, prefill: {} }]),
      peekAt: (key, id) => setPeeked({ key, id }),
    }),
    [],
  );
  const close = (request: QuickAddRequest): void => setAsked((before) => before.filter((one) => one !== request));
  return (
    <ReferenceToolsContext value={tools}>
      {children}
      {asked.map((request) => (
        <QuickAddDialog
          key={`${request.recordTypeKey} ${asked.indexOf(request)}`}
          request={request}
          close={() => close(request)}
        />
      ))}
      <Drawer.Root opened={peeked !== undefined} onClose={() => setPeeked(undefined)} position="right" size={420}>
        <Drawer.Overlay backgroundOpacity={0.35} />
        <Drawer.Content aria-label={t("list.peek")}>
          {peeked && <RecordPeek recordTypeKey={peeked.key} id={peeked.id} close={() => setPeeked(undefined)} />}
        </Drawer.Content>
      </Drawer.Root>
    </ReferenceToolsContext>
  );
}
