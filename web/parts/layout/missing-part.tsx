// Where a file of the app can't be loaded: says whether there is a new version, with the way to it. A whole screen goes there by itself.
import { Button, Group, Skeleton } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { Component, type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isPlaceHeld } from "../../session/held-place.ts";
import { isPartMissing, newVersion, reloadOnce } from "../loading/new-version.ts";
import { EmptyState } from "./empty-state.tsx";

interface MissingPartProps {
  /** Of a whole screen: nothing else is on the page that could be lost. */
  readonly retry?: () => void;
}

export function MissingPart({ retry }: MissingPartProps) {
  const { t } = useTranslation();
  const [found, setFound] = useState<"new" | "same">();
  // As it is while the page that was left is still there: what it holds is let go once this is shown instead.
  const [wasHeld] = useState(isPlaceHeld);
  const isWholeScreen = retry !== undefined;
  useEffect(() => {
    let isHere = true;
    void newVersion().then((version) => {
      if (!isHere) return;
      const goes = version !== undefined && isWholeScreen && !wasHeld && reloadOnce(version);
      if (!goes) setFound(version === undefined ? "same" : "new");
    });
    return () => {
      isHere = false;
    };
  }, [isWholeScreen, wasHeld]);
  if (found === undefined) return <Skeleton h={120} radius="md" />;
  const words = found === "new" ? "new_version" : "part_missing";
  const again = found === "same" ? retry : undefined;
  return (
    <EmptyState
      small={!isWholeScreen}
      icon={IconRefresh}
      title={t(`states.${words}`)}
      text={t(again ? "states.part_missing_retry" : `states.${words}_lead`)}
      live
    >
      <Group gap="xs" justify="center">
        {again && (
          <Button variant="default" onClick={again}>
            {t("actions.retry")}
          </Button>
        )}
        <Button variant={again ? "subtle" : "default"} onClick={() => location.reload()}>
          {t("actions.reload")}
        </Button>
      </Group>
    </EmptyState>
  );
}

interface PartBoundaryProps {
  readonly children: ReactNode;
  /** Until it is loaded. */
  readonly fallback?: ReactNode;
  /** In its place where it can't be loaded, if the page can do without it. */
  readonly instead?: ReactNode;
}

/** Around a part of a page that is loaded when it is shown: where that fails, the rest of the page and what was typed there stay. */
export class PartBoundary extends Component<PartBoundaryProps, { readonly error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    const { children, fallback, instead } = this.props;
    if (error === undefined) return <Suspense fallback={fallback}>{children}</Suspense>;
    if (!isPartMissing(error)) throw error;
    return instead === undefined ? <MissingPart /> : instead;
  }
}
