// Roles × operations: the reader's own line first, then every role that the reader may see.
import { IconCheck, IconMinus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { isOn, type OperationFlags, type WhoMay } from "../../../client/design/record-types.ts";
import { matrixOperations } from "../../../contract/permissions.ts";
import { ScrollRegion } from "../../parts/layout/scroll-region.tsx";
import table from "../../parts/layout/table.module.css";
import { Tag } from "../../parts/layout/tag.tsx";
import classes from "./role-matrix.module.css";

export function RoleMatrix({ whoMay }: { readonly whoMay: WhoMay }) {
  const { t } = useTranslation();
  return (
    <ScrollRegion label={t("about.matrix")}>
      <table className={`${table.table} ${classes.matrix}`}>
        <thead>
          <tr>
            <th scope="col">{t("about.role")}</th>
            {matrixOperations.map((operation) => (
              <th key={operation} scope="col">
                {t(`operations.${operation}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className={classes.mine}>
            <th scope="row">{t("about.you")}</th>
            <Cells flags={whoMay.mine} />
          </tr>
          {whoMay.roles.map((role) => (
            <tr key={role.id}>
              <th scope="row">
                <span className={classes.role}>
                  {role.name}
                  {isOn(role.is_administrator) && role.name !== t("about.administrator") && (
                    <Tag>{t("about.administrator")}</Tag>
                  )}
                </span>
              </th>
              <Cells flags={role.operations} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Cells({ flags }: { readonly flags: OperationFlags }) {
  const { t } = useTranslation();
  return matrixOperations.map((operation) =>
    isOn(flags[operation]) ? (
      <td key={operation} data-allowed="true">
        <IconCheck size={16} stroke={2.2} role="img" aria-label={t("about.allowed")} />
      </td>
    ) : (
      <td key={operation}>
        <IconMinus size={14} stroke={1.6} role="img" aria-label={t("about.refused")} />
      </td>
    ),
  );
}
