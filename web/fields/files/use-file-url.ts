// A picture of the service as an address that an <img> can show: fetched with the token in its header, kept in memory,
// let go when nothing shows it any more.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { FilePlace } from "../../../client/records/attachments.ts";
import { client } from "../../session/session.ts";

/** `version`: what changes when the file does. */
export function useFileUrl(place: FilePlace | undefined, version: string, thumbnail: boolean): string | undefined {
  const { data } = useQuery({
    queryKey: ["file", place?.recordTypeKey, place?.id, place?.field, version, thumbnail],
    queryFn: ({ signal }) => (place ? client.files.readFile(place, { thumbnail, signal }) : null),
    enabled: place !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useObjectUrl(data?.content);
}

/** Only what can be drawn gets an address: anything else could run as a page of ours. */
const drawn = /^image\/(?:jpeg|png|webp|gif)$/;

export function useObjectUrl(content: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (content === undefined || !drawn.test(content.type)) return;
    const made = URL.createObjectURL(content);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(undefined);
    };
  }, [content]);
  return url;
}

/** Saves a file of the service to the disk of the reader. */
export async function downloadFile(place: FilePlace, name: string): Promise<void> {
  const { content } = await client.files.readFile(place);
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
