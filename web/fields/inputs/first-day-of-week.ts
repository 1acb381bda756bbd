// Takes a locale; gives the day that its week begins with, 0 for Sunday. Monday where the browser does not know.
type Day = 0 | 1 | 2 | 3 | 4 | 5 | 6;

interface WithWeek {
  readonly weekInfo?: { readonly firstDay: number };
  getWeekInfo?(): { readonly firstDay: number };
}

export function firstDayOfWeek(locale: string | undefined): Day {
  try {
    // Newer than the types of the language.
    const info = new Intl.Locale(locale ?? navigator.language) as unknown as WithWeek;
    const first = (info.getWeekInfo?.() ?? info.weekInfo)?.firstDay ?? 1;
    return (first % 7) as Day; // the remainder of a division by seven
  } catch {
    return 1;
  }
}
