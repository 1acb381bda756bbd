// Nothing to see: while it is there, the screen follows what others change.
import { useLiveScreen } from "./follow-changes.ts";

export function LiveScreen(): null {
  useLiveScreen();
  return null;
}
