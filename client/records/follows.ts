// Who follows a record: they are told of comments, stages and changes by others.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";

export interface Followers {
  readonly isFollowing: boolean;
  readonly followers: readonly { readonly id: string; readonly name: string }[];
}

interface FollowersBody {
  readonly data: { readonly is_following: number; readonly followers: Followers["followers"] };
}

const followersOf = ({ data }: FollowersBody): Followers => ({
  isFollowing: data.is_following === 1,
  followers: data.followers,
});

export const readFollowers = async (
  call: Call,
  key: RecordTypeKey,
  id: string,
  signal?: AbortSignal,
): Promise<Followers> => followersOf(await call<FollowersBody>(`${key}/followers`, { query: { id }, signal }));

export const setFollowing = async (call: Call, key: RecordTypeKey, id: string, on: boolean): Promise<Followers> =>
  followersOf(await call<FollowersBody>(`${key}/${on ? "follow" : "unfollow"}`, { query: { id }, method: "POST" }));
