// Runs before the first paint: colour scheme and writing direction as chosen earlier, so that nothing flashes or flips.
(() => {
  let scheme = null;
  let language = null;
  try {
    scheme = localStorage.getItem("dossier.theme");
    language = localStorage.getItem("dossier.language");
  } catch {
    // Storage may be closed to us; the defaults hold.
  }
  const dark = scheme === "dark" || (scheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const root = document.documentElement;
  root.setAttribute("data-mantine-color-scheme", dark ? "dark" : "light");
  if (language) root.lang = language;
  root.dir = language === "ar" ? "rtl" : "ltr";
})();
