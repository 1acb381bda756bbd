// The frame around everything that can be seen without being logged in: the mark, a title, the languages.
import { Anchor, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { chooseLanguage, languages } from "../../texts/languages.ts";
import classes from "./auth-frame.module.css";
import { BrandMark } from "./brand.tsx";

interface AuthFrameProps {
  readonly title: string;
  readonly lead?: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

export function AuthFrame({ title, lead, wide, children }: AuthFrameProps) {
  const { i18n } = useTranslation();
  return (
    <div className={classes.page}>
      <main className={classes.main} data-wide={wide || undefined}>
        <div className={classes.head}>
          <BrandMark size={40} />
          <div>
            <Title order={1} className={classes.title}>
              {title}
            </Title>
            {lead !== undefined && <Text c="dimmed">{lead}</Text>}
          </div>
        </div>
        {children}
      </main>
      <footer className={classes.footer}>
        {languages.map((language) => (
          <Anchor
            key={language.code}
            component="button"
            type="button"
            size="sm"
            c="dimmed"
            lang={language.code}
            aria-current={i18n.language === language.code ? "true" : undefined}
            className={classes.language ?? ""}
            onClick={() => void chooseLanguage(language.code)}
          >
            {language.name}
          </Anchor>
        ))}
      </footer>
    </div>
  );
}
