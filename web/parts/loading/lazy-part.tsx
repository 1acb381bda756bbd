// A dialog or a panel that is fetched when it is first asked for. Where it cannot be fetched, it closes and says so: the page
// and what was typed there stay as they are. What is typed until a part with an input is there goes into that input.
import { type ComponentType, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { releaseTyping } from "../commands/type-ahead.ts";
import { TypingCaught } from "../commands/typing-caught.tsx";
import { showReload, showWarning } from "../toasts.tsx";
import { newVersion } from "./new-version.ts";

/** What such a part may take; one that is not opened is not fetched. */
interface Closable {
  readonly opened?: boolean;
  readonly onClose?: () => void;
  readonly close?: () => void;
}

interface Options<Props> {
  /** An input of it takes the focus. */
  readonly hasInput?: boolean;
  /** Where it is closed by something else than its own property. */
  readonly close?: (props: Props) => void;
}

const closeItself = ({ onClose, close }: Closable): void => (onClose ?? close)?.();

export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { hasInput = false, close = closeItself }: Options<Props> = {},
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function LazyPart(props: Props) {
    const { t } = useTranslation();
    const [Part, setPart] = useState(() => loaded);
    const { opened = true }: Closable = props;
    const fail = useEffectEvent(() => {
      releaseTyping();
      close(props);
      void newVersion().then((version) =>
        version === undefined ? showWarning(t("states.part_failed")) : showReload(t("states.new_version")),
      );
    });
    useEffect(() => {
      if (Part !== undefined || !opened) return;
      let isHere = true;
      load().then(
        (found) => {
          loaded = found;
          if (isHere) setPart(() => found);
        },
        () => isHere && fail(),
      );
      return () => {
        isHere = false;
      };
    }, [Part, opened]);
    if (Part !== undefined) return <Part {...props} />;
    return hasInput && opened && <TypingCaught />;
  };
}
