// The locales that a person can choose, as BCP 47 codes: languages with the countries that they are written in.

export const localeCodes: readonly string[] = (
  "af-ZA am-ET ar-AE ar-DZ ar-EG ar-IQ ar-JO ar-KW ar-LB ar-MA ar-QA ar-SA ar-TN as-IN az-AZ be-BY bg-BG bn-BD bn-IN " +
  "bs-BA ca-ES cs-CZ cy-GB da-DK de-AT de-CH de-DE de-LI de-LU el-CY el-GR en-AU en-CA en-GB en-HK en-IE en-IN en-KE " +
  "en-MT en-NG en-NZ en-PH en-SG en-US en-ZA es-AR es-BO es-CL es-CO es-CR es-DO es-EC es-ES es-GT es-HN es-MX es-NI " +
  "es-PA es-PE es-PR es-PY es-SV es-US es-UY es-VE et-EE eu-ES fa-IR fi-FI fil-PH fr-BE fr-CA fr-CH fr-CI fr-FR fr-LU " +
  "fr-MA fr-SN ga-IE gl-ES gu-IN he-IL hi-IN hr-HR hu-HU hy-AM id-ID is-IS it-CH it-IT ja-JP ka-GE kk-KZ km-KH kn-IN " +
  "ko-KR ky-KG lb-LU lo-LA lt-LT lv-LV mk-MK ml-IN mn-MN mr-IN ms-MY ms-SG mt-MT my-MM nb-NO ne-NP nl-BE nl-NL nn-NO " +
  "or-IN pa-IN pl-PL ps-AF pt-AO pt-BR pt-MZ pt-PT ro-MD ro-RO ru-KZ ru-RU rw-RW si-LK sk-SK sl-SI so-SO sq-AL sr-BA " +
  "sr-RS sv-FI sv-SE sw-KE sw-TZ ta-IN ta-LK ta-SG te-IN tg-TJ th-TH tk-TM tr-CY tr-TR uk-UA ur-IN ur-PK uz-UZ vi-VN " +
  "xh-ZA yo-NG zh-CN zh-HK zh-MO zh-SG zh-TW zu-ZA"
).split(" ");

/** Languages that are written from right to left. */
export const rightToLeft: ReadonlySet<string> = new Set(["ar", "fa", "he", "ps", "ur"]);
