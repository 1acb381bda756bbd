// Renders nothing; follows changes while mounted.
import { useLiveScreen } from "./follow-changes.ts";

export function LiveScreen(): null {
  useLiveScreen();
  return null;
}
