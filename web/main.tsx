// Starts the app: texts first, then providers and routes.
import "@fontsource-variable/inter/wght.css";
import "@mantine/core/styles.layer.css";
import "./page.css";
import { DirectionProvider, localStorageColorSchemeManager, MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import i18next from "i18next";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { clockAt } from "../contract/zones.ts";
import { FollowDirection } from "./parts/layout/follow-direction.ts";
import { isPartMissing } from "./parts/loading/new-version.ts";
import { queryClient } from "./query-client.ts";
import { router } from "./router.tsx";
import { startTexts } from "./texts/languages.ts";
import { colorVariables, theme } from "./theme.ts";

const schemeManager = localStorageColorSchemeManager({ key: "dossier.theme" });
const container = document.getElementById("root");

await startTexts();
// Labels come from the service in the language of whoever asks.
i18next.on("languageChanged", () => void queryClient.invalidateQueries());

if (container) {
  // A file that an upgrade took away is told on the screen (missing-part.tsx).
  const onCaughtError = (error: unknown): void => {
    if (!isPartMissing(error)) console.error(error);
  };
  createRoot(container, { onCaughtError }).render(
    <StrictMode>
      <DirectionProvider>
        <FollowDirection />
        <MantineProvider
          theme={theme}
          cssVariablesResolver={colorVariables}
          colorSchemeManager={schemeManager}
          defaultColorScheme="auto"
        >
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </StrictMode>,
  );
}

// The first formatter of times loads what the browser knows of calendars and zones: done while screens are fetched, not when the first
// of them is drawn. Safari has no idle times.
const whenIdle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
whenIdle(() => void clockAt(new Date(), "UTC"));
