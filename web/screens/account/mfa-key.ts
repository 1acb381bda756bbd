// Where the state of one's second step is kept in the cache.
export const MFA_KEY = "mfa";
