// Hands the access token from a page to the one that a reload puts in its place, through this tab's sessionStorage, which
// holds it only while no page does. Without it each reload would spend a refresh token, and a second reload before the
// answer would present a spent one, which ends the session.
import type { AccessToken, TokenKeeper } from "../../client/transport/token-keeper.ts";

const KEY = "dossier.handover";

export function takeOver(keeper: TokenKeeper): void {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  if (text === null) return;
  try {
    // Written below, by the page before this one; the keeper refuses it if it is of another session.
    keeper.adopt(JSON.parse(text) as AccessToken);
  } catch {
    // Not ours: then the refresh token has to do.
  }
}

export function handOverAtTheEnd(keeper: TokenKeeper): void {
  window.addEventListener("pagehide", () => {
    const token = keeper.held();
    if (token !== undefined) sessionStorage.setItem(KEY, JSON.stringify(token));
  });
  // The browser brought the very same page back: it still has its token.
  window.addEventListener("pageshow", () => sessionStorage.removeItem(KEY));
}
