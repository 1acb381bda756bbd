// A failure in words: what happened, what to do, the request id; comes back by itself when the service was away.
import { Button, Code, Group } from "@mantine/core";
import { IconCloudOff, IconError404, IconLock, IconMoodPuzzled } from "@tabler/icons-react";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Unreachable, WireFailure } from "../../../client/transport/wire-failure.ts";
import { isAway } from "../../query-client.ts";
import { isPartMissing } from "../loading/new-version.ts";
import { EmptyState } from "./empty-state.tsx";
import { MissingPart } from "./missing-part.tsx";

const RETRY_MS = 5000;

export interface FailureStateProps {
  readonly error: unknown;
  readonly retry: () => void;
  /** In place of the general words for "not found". */
  readonly notFound?: ReactNode;
}

export function FailureState({ error, retry, notFound }: FailureStateProps) {
  const { t } = useTranslation();
  const away = isAway(error);

  useEffect(() => {
    if (!away) return;
    const timer = setInterval(retry, RETRY_MS);
    window.addEventListener("online", retry);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", retry);
    };
  }, [away, retry]);

  const button = (
    <Button variant="default" onClick={retry}>
      {t("actions.retry")}
    </Button>
  );
  const status = error instanceof WireFailure ? error.status : undefined;
  if (away) {
    const words = error instanceof Unreachable ? "offline" : "starting";
    return (
      <EmptyState icon={IconCloudOff} title={t(`states.${words}`)} text={t(`states.${words}_lead`)} live>
        {button}
      </EmptyState>
    );
  }
  if (status === 404) {
    return (
      notFound ?? <EmptyState icon={IconError404} title={t("states.not_found")} text={t("states.not_found_lead")} />
    );
  }
  if (status === 403) return <EmptyState icon={IconLock} title={t("states.forbidden")} text={messageOf(error)} />;
  const requestId = error instanceof WireFailure ? error.requestId : undefined;
  // What was asked is at fault, and the service says how; else it is the service's own.
  const words = status !== undefined && status < 500 ? messageOf(error) : t("states.failed_lead");
  return (
    <EmptyState icon={IconMoodPuzzled} title={t("states.failed")} text={words} live>
      {requestId === undefined ? (
        <Code>{messageOf(error)}</Code>
      ) : (
        <Group gap="xs" justify="center">
          <span>{t("states.request_id")}</span>
          <Code>{requestId}</Code>
        </Group>
      )}
      {button}
    </EmptyState>
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The error boundary of every route. */
export function FailedScreen({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const retry = (): void => {
    reset();
    void router.invalidate();
  };
  if (isPartMissing(error)) return <MissingPart retry={retry} />;
  return <FailureState error={error} retry={retry} />;
}
