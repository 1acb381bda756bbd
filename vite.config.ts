// Builds the web app into dist/web, and prints what the login page has to load: its script stays under 220 kB gzipped.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const service = process.env.DOSSIER_URL ?? `http://127.0.0.1:${process.env.PORT ?? 3000}`;

export default defineConfig({
  root: "web",
  base: "/",
  plugins: [react(), firstLoad(220), compressed()],
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2022",
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Few files: what every screen needs in one, what Mantine shares in another; screens stay on their own.
        codeSplitting: {
          groups: [
            {
              name: "ground",
              // Not all of @tanstack: tables and virtual rows come with the list.
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack[\\/](react-)?(router|query|store|history)(-core)?|i18next|react-i18next)[\\/]/,
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

function firstLoad(limitKb: number): Plugin {
  return {
    name: "first-load",
    apply: "build",
    writeBundle(_, bundle) {
      const scripts = new Set<string>();
      const styles = new Set<string>();
      const visit = (fileName: string): void => {
        const chunk = bundle[fileName];
        if (chunk?.type !== "chunk" || scripts.has(fileName)) return;
        scripts.add(fileName);
        for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
        for (const next of chunk.imports) visit(next);
      };
      for (const [fileName, chunk] of Object.entries(bundle)) {
        if (chunk.type !== "chunk") continue;
        if (chunk.isEntry || chunk.facadeModuleId?.endsWith("/screens/login/login-screen.tsx")) visit(fileName);
      }
      const kilobytes = (names: Iterable<string>): number =>
        [...names].reduce((sum, name) => {
          const file = bundle[name];
          if (file === undefined) return sum;
          return sum + gzipSync(file.type === "chunk" ? file.code : file.source).length / 1000;
        }, 0);
      const script = kilobytes(scripts);
      console.log(
        `first load of the login page: ${script.toFixed(1)} kB of script in ${scripts.size} files, ${kilobytes(styles).toFixed(1)} kB of style (gzipped)`,
      );
      if (script > limitKb) this.error(`the login page loads more than ${limitKb} kB of script`);
    },
  };
}

/** Beside every text file its bytes as brotli and gzip, which the service sends as they are. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    writeBundle({ dir = "" }) {
      for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(?:js|css|html|svg|json|txt|webmanifest)$/u.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        const bytes = readFileSync(file);
        if (bytes.length < 1_400) continue;
        writeFileSync(`${file}.br`, brotliCompressSync(bytes));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}
