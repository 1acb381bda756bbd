// Where a file of the app can't be loaded: says whether there is a new version, with the way to it. A whole screen goes there by itself.
import { Button, Skeleton } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { Component, type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { isPlaceHeld } from "../../session/held-place.ts";
import { isPartMissing, newVersion, reloadOnce } from "../new-version.ts";
import { EmptyState } from "./empty-state.tsx";

interface MissingPartProps {
  /** Nothing else is on the page that could be lost. */
  readonly isWholeScreen?: boolean;
}

export function MissingPart({ isWholeScreen = false }: MissingPartProps) {
  const { t } = useTranslation();
  const [found, setFound] = useState<"new" | "same">();
  useEffect(() => {
    let isHere = true;
    void newVersion().then((version) => {
      if (!isHere) return;
      const goes = version !== undefined && isWholeScreen && !isPlaceHeld() && reloadOnce(version);
      if (!goes) setFound(version === undefined ? "same" : "new");
    });
    return () => {
      isHere = false;
    };
  }, [isWholeScreen]);
  if (found === undefined) return <Skeleton h={120} radius="md" />;
  const words = found === "new" ? "new_version" : "part_missing";
  return (
    <EmptyState
      small={!isWholeScreen}
      icon={IconRefresh}
      title={t(`states.${words}`)}
      text={t(`states.${words}_lead`)}
      live
    >
      <Button variant="default" onClick={() => location.reload()}>
        {t("actions.reload")}
      </Button>
    </EmptyState>
  );
}

/** Around a part of a page that is loaded when it is shown: where that fails, the rest of the page and what was typed there stay. */
export class PartBoundary extends Component<{ readonly children: ReactNode }, { readonly error: unknown }> {
  override state = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (!isPartMissing(error)) throw error;
    return <MissingPart />;
  }
}
