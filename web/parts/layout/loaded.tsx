// Draws what a query gives: a skeleton while it is on its way, the failure if it fails, else the children.
import { VisuallyHidden } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { isGone } from "../../query-client.ts";

import { FailureState } from "./failure-state.tsx";

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** In the shape of what comes, so that nothing jumps. */
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
  readonly notFound?: ReactNode;
  /** Goes from the screen when it is asked for again and is no longer there, or no longer open to one. */
  readonly mayVanish?: boolean;
}

export function Loaded<Data>({ query, skeleton, children, notFound, mayVanish = false }: LoadedProps<Data>) {
  const { t } = useTranslation();
  if (query.data !== undefined && !(mayVanish && isGone(query.error))) return children(query.data);
  // A session that has just ended is on its way to the login.
  const leaving = query.error instanceof WireFailure && query.error.status === 401;
  if (query.isError && !leaving) {
    return <FailureState error={query.error} retry={() => void query.refetch()} notFound={notFound} />;
  }
  return (
    <div aria-busy="true">
      <VisuallyHidden role="status">{t("states.loading")}</VisuallyHidden>
      {skeleton}
    </div>
  );
}
