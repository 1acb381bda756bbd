// A locale is written `en_US` by some programs and `en-US` by others; we keep the latter (BCP 47).
export const localeCode = (text: string): string => text.trim().replaceAll("_", "-");
