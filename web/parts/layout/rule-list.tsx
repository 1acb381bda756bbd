// Rules that tick off while somebody types.
import { VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import classes from "./rule-list.module.css";

export interface ListedRule {
  readonly words: string;
  readonly met: boolean;
}

export function RuleList({ rules }: { readonly rules: readonly ListedRule[] }) {
  const { t } = useTranslation();
  return (
    <ul className={classes.rules}>
      {rules.map(({ words, met }) => (
        <li key={words} data-met={met || undefined}>
          {met ? (
            <IconCheck size={14} stroke={2.4} aria-hidden="true" />
          ) : (
            <IconCircle size={14} stroke={1.6} aria-hidden="true" />
          )}
          <span>{words}</span>
          <VisuallyHidden>{`: ${t(met ? "password.rule_met" : "password.rule_unmet")}`}</VisuallyHidden>
        </li>
      ))}
    </ul>
  );
}
