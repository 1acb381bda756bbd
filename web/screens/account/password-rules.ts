// What a new password must fulfil before it is sent. The service has the last word: it also refuses common ones.

export const MINIMUM_LENGTH = 10;

export interface PasswordDraft {
  readonly old_password: string;
  readonly user_password: string;
  readonly confirm_password: string;
}

export type PasswordRule = "length" | "different" | "same";

/** Characters as people count them: an emoji is one. */
const lengthOf = (text: string): number => [...text].length;

export const passwordRules: readonly {
  readonly rule: PasswordRule;
  readonly holds: (draft: PasswordDraft) => boolean;
}[] = [
  { rule: "length", holds: (draft) => lengthOf(draft.user_password) >= MINIMUM_LENGTH },
  { rule: "different", holds: (draft) => draft.user_password !== "" && draft.user_password !== draft.old_password },
  { rule: "same", holds: (draft) => draft.user_password !== "" && draft.user_password === draft.confirm_password },
];
