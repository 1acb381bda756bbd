// A record beside the list that it was found in: to read, with the way to its own page.
import { Button, CloseButton, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { recordQuery } from "../../queries.ts";
import { RecordForm } from "./form/record-form.tsx";
import classes from "./record.module.css";

interface RecordPeekProps {
  readonly recordTypeKey: string;
  readonly id: string;
  readonly close: () => void;
}

const nothing = {};

export function RecordPeek({ recordTypeKey, id, close }: RecordPeekProps) {
  const { t } = useTranslation();
  const query = useQuery(recordQuery(recordTypeKey, "view", id));
  return (
    <aside className={classes.peek} aria-label={t("list.peek")}>
      <div className={classes.peekHead}>
        <Title order={2}>{query.data?.name || "…"}</Title>
        <Button
          component={Link}
          to={`/${recordTypeKey}/view?id=${encodeURIComponent(id)}`}
          size="compact-sm"
          variant="default"
        >
          {t("list.open")}
        </Button>
        <CloseButton aria-label={t("actions.close")} onClick={close} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll */}
      <section className={classes.peekBody} tabIndex={0} aria-label={query.data?.name || t("list.peek")}>
        <Loaded query={query} skeleton={null}>
          {(view) => (
            <RecordForm
              view={view}
              record={view.data[view.alias] ?? nothing}
              isEdited={false}
              changes={nothing}
              errors={nothing}
              onChange={() => undefined}
            />
          )}
        </Loaded>
      </section>
    </aside>
  );
}
