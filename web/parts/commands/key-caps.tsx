// Keys as they are printed on the keyboard in front of the reader.
import { Kbd } from "@mantine/core";
import { Fragment } from "react";
import { useTranslation } from "react-i18next";
import classes from "./commands.module.css";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

const caps: Readonly<Record<string, string>> = {
  mod: isApple ? "⌘" : "Ctrl",
  Alt: isApple ? "⌥" : "Alt",
  Arrows: "← ↑ ↓ →",
  Sideways: "← →",
  Upright: "↑ ↓",
  ArrowDown: "↓",
  Escape: "Esc",
  Delete: isApple ? "⌫" : "Del",
};

const cap = (key: string): string => caps[key] ?? (key.length === 1 ? key.toUpperCase() : key);

export function KeyCaps({ keys }: { readonly keys: string }) {
  const { t } = useTranslation();
  return (
    <span className={classes.keys}>
      {keys.split(" ").map((press, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same key may come twice
        <Fragment key={index}>
          {index > 0 && <span>{t("commands.after_that")}</span>}
          {press.split("+").map((key) => (
            <Kbd key={key} size="xs">
              {cap(key)}
            </Kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
