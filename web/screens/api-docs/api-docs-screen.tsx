// The API reference: what the reader, or an API key, can call, a subject at a time. Drawn by Swagger UI from the service's own
// description; nothing can be sent from here.
import { Anchor, Button, Group, PasswordInput, Select, Skeleton, Text, Title } from "@mantine/core";
import { IconArrowLeft, IconKey } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, lazy, useState } from "react";
import { useTranslation } from "react-i18next";
import { createClient } from "../../../client/client.ts";
import { type InterfaceDocument, onSubject } from "../../../client/design/interface.ts";
import { createTransport } from "../../../client/transport/transport.ts";
import { WireFailure } from "../../../client/transport/wire-failure.ts";
import { EmptyState } from "../../parts/layout/empty-state.tsx";
import { Loaded } from "../../parts/layout/loaded.tsx";
import { PartBoundary } from "../../parts/layout/missing-part.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { client } from "../../session/session.ts";
import { useSession } from "../../session/use-session.ts";
import classes from "./api-docs-screen.module.css";

const Reference = lazy(async () => ({ default: (await import("./reference.tsx")).Reference }));

const readAs = (key: string | undefined, signal: AbortSignal): Promise<InterfaceDocument> => {
  if (key === undefined) return client.design.readInterface(signal);
  const transport = createTransport({ token: async () => key, language: () => document.documentElement.lang });
  return createClient(transport).design.readInterface(signal);
};

export function ApiDocsScreen() {
  const { t } = useTranslation();
  const { status } = useSession();
  const [key, setKey] = useState<string>();
  const query = useQuery({
    queryKey: ["interface", key ?? ""],
    queryFn: ({ signal }) => readAs(key, signal),
    enabled: key !== undefined || status === "in",
    retry: false,
    gcTime: 0,
  });
  usePageTitle(t("programs.reference"));
  const isRefused = key !== undefined && query.error instanceof WireFailure && query.error.status === 401;
  return (
    <div className={classes.page}>
      <header className={classes.head}>
        <Group justify="space-between" gap="sm">
          <Title order={1} className={classes.title ?? ""}>
            {t("programs.reference")}
          </Title>
          <Anchor component={Link} to={status === "in" ? "/" : "/login"} size="sm" className={classes.back ?? ""}>
            <IconArrowLeft size={15} stroke={1.8} className="mirrored" aria-hidden="true" />
            {t(status === "in" ? "programs.docs_back" : "programs.docs_sign_in")}
          </Anchor>
        </Group>
        <Text size="sm" c="dimmed">
          {t(key === undefined ? "programs.docs_lead" : "programs.docs_lead_key")}
        </Text>
      </header>
      <KeyForm
        isOther={key !== undefined}
        mayLeave={status === "in"}
        error={isRefused ? t("programs.docs_refused") : undefined}
        show={setKey}
      />
      {key === undefined && status === "out" ? (
        <EmptyState icon={IconKey} title={t("programs.reference")} text={t("programs.docs_signed_out")} small />
      ) : (
        !isRefused && (
          <Loaded query={query} skeleton={<Skeleton h={400} radius="md" />}>
            {(found) => <Subjects whole={found} />}
          </Loaded>
        )
      )}
    </div>
  );
}

interface KeyFormProps {
  readonly isOther: boolean;
  readonly mayLeave: boolean;
  readonly error: string | undefined;
  readonly show: (key: string | undefined) => void;
}

function KeyForm({ isOther, mayLeave, error, show }: KeyFormProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (typed.trim() !== "") show(typed.trim());
  }

  return (
    <form onSubmit={submit} className={classes.key}>
      <PasswordInput
        label={t("programs.docs_key")}
        description={t("programs.docs_key_lead")}
        placeholder="dk_…"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        error={error}
        visibilityToggleButtonProps={{ "aria-hidden": true }}
      />
      <Group gap="xs">
        <Button type="submit" variant="default" disabled={typed.trim() === ""}>
          {t("programs.docs_show")}
        </Button>
        {isOther && mayLeave && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              setTyped("");
              show(undefined);
            }}
          >
            {t("programs.docs_own")}
          </Button>
        )}
      </Group>
    </form>
  );
}

/** Leads, where there are any: something is there to read at once. */
const firstOf = ({ tags }: InterfaceDocument): string =>
  (tags.find(({ name }) => name === "crm/leads") ?? tags.find(({ name }) => name.includes("/")) ?? tags[0])?.name ?? "";

function Subjects({ whole }: { readonly whole: InterfaceDocument }) {
  const { t } = useTranslation();
  const { type } = useSearch({ from: "/docs" });
  const navigate = useNavigate({ from: "/docs" });
  const chosen = whole.tags.some(({ name }) => name === type) ? (type ?? "") : firstOf(whole);
  return (
    <>
      <Select
        className={classes.subject ?? ""}
        label={t("programs.docs_type")}
        searchable
        allowDeselect={false}
        nothingFoundMessage={t("admin.none_found")}
        data={whole.tags.map(({ name, description }) => ({
          value: name,
          label: description === name ? name : `${description} (${name})`,
        }))}
        value={chosen}
        onChange={(value) => value !== null && void navigate({ search: { type: value }, replace: true })}
      />
      <PartBoundary fallback={<Skeleton h={400} radius="md" />}>
        <Reference key={chosen} part={onSubject(whole, chosen)} />
      </PartBoundary>
    </>
  );
}
