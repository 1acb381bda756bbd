// The start page of an organization that keeps nothing yet: what to do first, each with the way to it.
import { Button } from "@mantine/core";
import {
  type Icon,
  IconBuilding,
  IconKeyboard,
  IconPlus,
  IconTableImport,
  IconTemplate,
  IconUsers,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { NavigationModule } from "../../../client/lists/navigation.ts";
import { KeyCaps } from "../../parts/commands/key-caps.tsx";
import { NamedIcon } from "../../parts/layout/icon.tsx";
import { useSession } from "../../session/use-session.ts";
import classes from "./first-steps.module.css";

const MOST_WAYS = 5;

export function FirstSteps({ module }: { readonly module: NavigationModule }) {
  const { t } = useTranslation();
  const { identity } = useSession();
  const isAdministrator = identity?.user?.is_administrator === "1";
  const importable = module.entries.slice(0, MOST_WAYS).filter(({ operations }) => operations.includes("import"));
  return (
    <section className={classes.steps} aria-label={t("first_steps.title")}>
      <h2>{t("first_steps.title")}</h2>
      <ol>
        {importable.length > 0 && (
          <Step icon={IconTableImport} title={t("first_steps.import")} text={t("first_steps.import_lead")}>
            {importable.map(({ key, label, icon }) => (
              <Button
                key={key}
                component={Link}
                to={`/${key}/import`}
                variant="default"
                size="xs"
                aria-label={t("list.import", { type: label })}
                leftSection={<NamedIcon name={icon} size={15} />}
              >
                {label}
              </Button>
            ))}
          </Step>
        )}
        <Step icon={IconPlus} title={t("first_steps.add")} text={t("first_steps.add_lead")}>
          {module.entries.slice(0, MOST_WAYS).map(({ key, label, icon }) => (
            <Button
              key={key}
              component={Link}
              to={`/${key}/add`}
              variant="default"
              size="xs"
              leftSection={<NamedIcon name={icon} size={15} />}
            >
              {label}
            </Button>
          ))}
        </Step>
        {isAdministrator && (
          <>
            <Step icon={IconTemplate} title={t("first_steps.template")} text={t("first_steps.template_lead")}>
              <Button component={Link} to="/administration?part=designs" variant="default" size="xs">
                {t("first_steps.template_go")}
              </Button>
            </Step>
            <Step icon={IconUsers} title={t("first_steps.invite")} text={t("first_steps.invite_lead")}>
              <Button component={Link} to="/administration?part=invitations" variant="default" size="xs">
                {t("first_steps.invite_go")}
              </Button>
            </Step>
            <Step icon={IconBuilding} title={t("first_steps.organization")} text={t("first_steps.organization_lead")}>
              <Button component={Link} to="/administration?part=organization" variant="default" size="xs">
                {t("first_steps.organization_go")}
              </Button>
            </Step>
          </>
        )}
        <Step icon={IconKeyboard} title={t("first_steps.keys")} text={t("first_steps.keys_lead")}>
          <span className={classes.keys}>
            <KeyCaps keys="mod+K" /> {t("commands.palette")}
          </span>
          <span className={classes.keys}>
            <KeyCaps keys="?" /> {t("commands.sheet")}
          </span>
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  readonly icon: Icon;
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}

function Step({ icon: StepIcon, title, text, children }: StepProps) {
  return (
    <li className={classes.step}>
      <span className={classes.icon}>
        <StepIcon size={18} stroke={1.6} aria-hidden="true" />
      </span>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
        <div className={classes.ways}>{children}</div>
      </div>
    </li>
  );
}
