// Exchange rates: importing those of the European Central Bank.
import type { Answer, Call } from "../transport/transport.ts";

export const EXCHANGE_RATES = "masters/exchange_rates";

export interface ImportedRates {
  readonly data: { readonly added: number; readonly changed: number; readonly same: number };
}

/** Its XML or CSV file; what is there already is changed where it differs. */
export const importRates = (call: Call, file: File): Promise<Answer<ImportedRates>> =>
  call<ImportedRates>(`${EXCHANGE_RATES}/import_rates`, { body: { file } });
