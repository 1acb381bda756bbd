// The records and views that a person has starred, in their order; kept by the service, so they follow the person.
import type { RecordTypeKey } from "../transport/address.ts";
import type { Call } from "../transport/transport.ts";

export interface Favorite {
  /** `<record type>/<id>`. */
  readonly key: string;
  /** Of a view it is core/listviews. */
  readonly controller: RecordTypeKey;
  readonly id: string;
  readonly name: string | null;
  readonly label: string;
  readonly icon: string | null;
  /** The record type that a view lists; null for a record. */
  readonly lists: RecordTypeKey | null;
}

interface FavoritesBody {
  readonly data: { readonly favorites: readonly Favorite[] };
}

export const readFavorites = async (call: Call, signal?: AbortSignal): Promise<readonly Favorite[]> =>
  (await call<FavoritesBody>("core/favorites/index", { signal })).data.favorites;

export const addFavorite = async (call: Call, controller: RecordTypeKey, id: string): Promise<readonly Favorite[]> =>
  (await call<FavoritesBody>("core/favorites/add", { body: { controller, id } })).data.favorites;

export const removeFavorite = async (call: Call, controller: RecordTypeKey, id: string): Promise<readonly Favorite[]> =>
  (await call<FavoritesBody>("core/favorites/remove", { body: { controller, id } })).data.favorites;

export const arrangeFavorites = async (call: Call, keys: readonly string[]): Promise<readonly Favorite[]> =>
  (await call<FavoritesBody>("core/favorites/arrange", { body: { keys } })).data.favorites;
