// Sends form-data and tells how much of it has gone: fetch does not. Gives a Response like fetch, fails like fetch.

export function sendUpload(
  address: string,
  init: { readonly headers: Readonly<Record<string, string>>; readonly body: FormData; readonly signal?: AbortSignal },
  onProgress: (part: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", address);
    for (const [name, value] of Object.entries(init.headers)) request.setRequestHeader(name, value);
    request.responseType = "text";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () =>
      resolve(
        new Response(request.responseText, {
          status: request.status,
          headers: { "content-type": request.getResponseHeader("content-type") ?? "" },
        }),
      );
    request.onerror = () => reject(new TypeError("the upload did not arrive"));
    request.onabort = () => reject(new DOMException("The upload was stopped", "AbortError"));
    init.signal?.addEventListener("abort", () => request.abort());
    request.send(init.body);
  });
}
