// The real process as `npm start` runs it, settings from the environment and all.
import "../../server/main.ts";
