// Where an entry of the navigation can lead. Pure.

/** Browsers and Node.js have it alike. */
declare const URL: { readonly canParse: (url: string) => boolean };

/** A page of the web, or a path of ours; never something that a browser would run. */
export const isAddress = (url: string): boolean =>
  /^https?:\/\//iu.test(url) ? URL.canParse(url) : url !== "" && !/^[^/?#]*:|^\/\/|\\/u.test(url);
