// A record's name that leads to its page.
import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

interface RecordLinkProps {
  readonly module: string;
  readonly controller: string;
  readonly id: string;
  /** The panel that is open there. */
  readonly panel?: string;
  readonly children: ReactNode;
}

export function RecordLink({ module, controller, id, panel, children }: RecordLinkProps) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          {...props}
          to="/$module/$controller/view"
          params={{ module, controller }}
          search={panel === undefined ? { id } : { id, panel }}
        />
      )}
    >
      {children}
    </Anchor>
  );
}
