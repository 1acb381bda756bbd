// What saving an exchange rate adds: only administrators write one, it is above zero, and it joins two currencies.
import { type Message, say } from "../../../contract/messages.ts";
import type { RecordHooks } from "../../records/hooks.ts";

export const exchangeRateHooks: RecordHooks = {
  administratorsOnly: true,
  check: async (_work, { after }) => {
    const faults: Record<string, Message[]> = {};
    if (after?.rate != null && !isAboveZero(after.rate)) faults.rate = [say("rate_not_positive")];
    if (after?.base_id != null && after.base_id === after.currency_id) {
      faults.currency_id = [say("same_currency")];
    }
    return faults;
  },
};

const isAboveZero = (decimal: string): boolean => !decimal.startsWith("-") && /[1-9]/u.test(decimal);
