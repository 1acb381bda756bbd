// Builds the web app into dist/web, and prints what the login page, sign-up and a list have to load. None may grow beyond its limit.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const service = process.env.DOSSIER_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`;

export default defineConfig({
  root: "web",
  base: "/",
  plugins: [react(), idsOnce(), typeface(), firstLoad(), compressed()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    // Fetching ahead only saves time: browsers that know this language and not that (Safari 16) load the same files a little later.
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Few files, each with all that its screens need: a request costs more than bytes that come along. What is seldom
        // wanted (charts, designers, dialogs) stays on its own.
        codeSplitting: {
          groups: [
            { name: "ground", priority: 2, test: /[\\/]web[\\/]main\.tsx$/ },
            {
              name: "inside",
              priority: 1,
              // With the little that it shares with what is fetched later.
              test: /[\\/]web[\\/](?:screens[\\/]inside\.ts$|parts[\\/]layout[\\/]|views[\\/]drawing[\\/]drawing\.module\.css)|[\\/]use-computed-color-scheme\.mjs$/,
            },
            // What people type and choose values in: comes with screens that always have one of them, else when it is used.
            {
              name: "inputs",
              test: /[\\/]web[\\/]fields[\\/](?:parts\.ts$|(?:inputs|files|showing[\\/]stored-\w+)\b)/,
            },
            // Small parts that several screens are made of, and what inputs share with them: no screen loads those for its sake.
            {
              name: "common",
              priority: 1,
              minShareCount: 3,
              test: /[\\/]web[\\/]parts[\\/]|[\\/]node_modules[\\/]@(?:mantine|tabler|tanstack)[\\/]/,
            },
            // The page of a record, with what it always shows.
            {
              name: "record",
              test: /[\\/]web[\\/]screens[\\/]record[\\/](?:record-screen|timeline[\\/]timeline-panel|panels[\\/]attachments-panel)\.tsx$/,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { "^/[a-z][^?]*\\.json(\\?|$)": { target: service }, "^/(healthz|readyz|metrics)$": { target: service } },
  },
});

/** Where people arrive, the screens that takes, and how much script (gzipped) in how many files it may be. */
const arrivals = [
  { name: "the login page", screens: ["screens/login/login-screen.tsx"], kilobytes: 220, files: 3 },
  { name: "sign-up", screens: ["screens/auth/signup-screen.tsx"], kilobytes: 420, files: 7 },
  { name: "a list", screens: ["screens/inside.ts"], kilobytes: 400, files: 5 },
];

function firstLoad(): Plugin {
  return {
    name: "first-load",
    apply: "build",
    writeBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const kilobytes = (names: Iterable<string>): number =>
        [...names].reduce((sum, name) => {
          const file = bundle[name];
          if (file === undefined) return sum;
          return sum + gzipSync(file.type === "chunk" ? file.code : file.source).length / 1000;
        }, 0);
      for (const { name, screens, ...limit } of arrivals) {
        const scripts = new Set<string>();
        const styles = new Set<string>();
        const visit = (fileName: string): void => {
          const chunk = bundle[fileName];
          if (chunk?.type !== "chunk" || scripts.has(fileName)) return;
          scripts.add(fileName);
          for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
          for (const next of chunk.imports) visit(next);
        };
        for (const chunk of chunks) {
          const wanted = (id: string): boolean => screens.some((screen) => id.endsWith(`/web/${screen}`));
          if (chunk.isEntry || chunk.moduleIds.some(wanted)) visit(chunk.fileName);
        }
        const script = kilobytes(scripts);
        console.log(
          `first load of ${name}: ${script.toFixed(1)} kB of script in ${scripts.size} files, ${kilobytes(styles).toFixed(1)} kB of style (gzipped)`,
        );
        if (script > limit.kilobytes) this.error(`${name} loads more than ${limit.kilobytes} kB of script`);
        if (scripts.size > limit.files) this.error(`${name} loads more than ${limit.files} files of script`);
      }
    },
  };
}

/** Mantine gives every input, menu and dialog a second id once it is drawn, and so draws it twice. One of React is enough here. */
function idsOnce(): Plugin {
  const code = `import { useId as ofReact } from "react";
export function useId(given) {
  const own = ofReact();
  return typeof given === "string" ? given : "mantine-" + own;
}`;
  let isFound = false;
  return {
    name: "ids-once",
    apply: "build",
    load(id) {
      if (!id.endsWith("/@mantine/hooks/esm/use-id/use-id.mjs")) return undefined;
      isFound = true;
      return code;
    },
    buildEnd(error) {
      if (error === undefined && !isFound) this.error("Mantine's useId is no longer where it was");
    },
  };
}

/** The letters that every page is written in are asked for with the page, not when its styles have come. */
function typeface(): Plugin {
  return {
    name: "typeface",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => name.startsWith("assets/inter-latin-wght-normal-"))
          .map((name) => ({
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${name}`, crossorigin: true },
            injectTo: "head" as const,
          })),
    },
  };
}

/** Beside every text file its bytes as brotli and gzip, which the service sends as they are. */
function compressed(): Plugin {
  // The last step of quality took a third of the build, for 1.7% of the bytes.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10 };
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir = "" }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(?:js|css|html|svg|json|txt|webmanifest)$/u.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        const bytes = readFileSync(file);
        if (bytes.length < 1_400) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
