// Swagger UI with a part of the description of the interface; fetched with it, a good 450 kB that nobody else needs.
import "swagger-ui-dist/swagger-ui.css";
import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef } from "react";
import SwaggerUI from "swagger-ui-dist/swagger-ui-es-bundle.js";
import type { InterfaceDocument } from "../../../client/design/interface.ts";
import classes from "./api-docs-screen.module.css";

export function Reference({ part }: { readonly part: InterfaceDocument }) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme("light");
  useEffect(() => {
    // Where Swagger UI looks for it.
    document.documentElement.classList.toggle("dark-mode", scheme === "dark");
    return () => document.documentElement.classList.remove("dark-mode");
  }, [scheme]);
  useEffect(() => {
    if (place.current === null) return;
    SwaggerUI({
      domNode: place.current,
      spec: part,
      docExpansion: "list",
      defaultModelsExpandDepth: -1,
      supportedSubmitMethods: [],
      validatorUrl: null,
      displayRequestDuration: false,
    });
  }, [part]);
  return <div ref={place} className={classes.reference} dir="ltr" lang="en" />;
}
