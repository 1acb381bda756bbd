// Where to go after login: only a path of this app, never another site.

/** Takes what a link carried; gives a path that is safe to go to. */
export function safeDestination(next: string | undefined): string {
  if (next === undefined || !next.startsWith("/") || /^\/[/\\]/.test(next) || /[\r\n\t]/.test(next)) return "/";
  return next === "/login" || next.startsWith("/login?") ? "/" : next;
}
