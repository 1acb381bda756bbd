// The organization's logo beside its name; nothing where it has none, or where it cannot be had.
import { useQuery } from "@tanstack/react-query";
import { useFileUrl } from "../../fields/files/use-file-url.ts";
import { ownOrganizationQuery } from "../../queries.ts";
import classes from "./shell.module.css";

export function OrganizationLogo() {
  const { data: mark } = useQuery(ownOrganizationQuery);
  const place =
    mark === undefined || mark.logo === null
      ? undefined
      : { recordTypeKey: "access_controls/organizations", id: mark.id, field: "logo" };
  const url = useFileUrl(place, mark?.logo ?? "", true);
  return url === undefined ? null : <img src={url} alt={mark?.name ?? ""} className={classes.logo} />;
}
