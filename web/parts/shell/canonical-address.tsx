// The pages of a record type, at the address of its own name: one that uses another of its names leads there, so that everything
// on the page is asked for by one name.
import { useQuery } from "@tanstack/react-query";
import { Outlet, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { schemaQuery } from "../../queries.ts";

export function CanonicalAddress() {
  const { module, controller } = useParams({ from: "/inside/$module/$controller" });
  const href = useLocation({ select: (location) => location.href });
  const navigate = useNavigate();
  const key = `${module}/${controller}`;
  const { data: own = key } = useQuery({ ...schemaQuery(key), select: ({ recordType }) => recordType.key });
  useEffect(() => {
    // The address may be another already while this page is still the old one.
    if (own !== key && href.startsWith(`/${key}/`))
      void navigate({ href: href.replace(`/${key}/`, `/${own}/`), replace: true });
  }, [own, key, href, navigate]);
  return own === key ? <Outlet /> : null;
}
